/**
 * After how long what is written in a conversation disappears: in a direct one as either last set it, in a group as its chain says.
 */

import { lifetimeOf } from '../messaging/contents/disappearing.ts';
import { extrasOf } from '../messaging/contents/extras.ts';
import { TimerContent } from '../messaging/contents/kinds/timer.ts';
import type { MessageBody } from '../messaging/sending/outgoing.ts';
import { decodeTime } from '../protocol/encoding.ts';
import type { DirectBody } from '../protocol/payload.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { StoredLifetime } from './cache/message-rows.ts';
import type { Context } from './context.ts';

/** Where own devices keep it for chats to come, in seconds. */
const DEFAULT = 'setting/timer';

/** As it stands now, in seconds; 0 for never. */
export function timerOf(
  { contacts, groups }: Pick<Context, 'contacts' | 'groups'>,
  { partner }: Pick<StoredConversation, 'partner'>,
): number {
  if (partner.kind === 'direct') return contacts.timer(partner.peer.address)?.seconds ?? 0;
  return groups.get(partner.groupId)?.state.timer ?? 0;
}

/**
 * Takes a timer for a contact with whom there is no conversation now: where the person has deleted it, or has set the timer on
 * another device.
 * @param body signed, and of whatever kind
 * @param own wire address
 * @returns whether it stands now
 */
export function takeTimer({ contacts }: Pick<Context, 'contacts'>, body: DirectBody, own: string): boolean {
  const content = TimerContent.safeParse(body).data;
  if (!content) return false;
  const { sender, sentAt, id, peer } = body;
  const partner = sender === own ? peer : sender;
  if (sender !== own && !contacts.hadChat(partner)) return false;
  return contacts.setTimer(partner, { seconds: content.seconds, sentAt, id, sender });
}

/** Seconds after which messages disappear in chats that the person begins; 0 for never. */
export function defaultTimer({ ownRegisters }: Pick<Context, 'ownRegisters'>): number {
  return (ownRegisters.valueOf(DEFAULT) as number | null) ?? 0;
}

export function setDefaultTimer({ own }: Pick<Context, 'own'>, seconds: number): void {
  own.set(DEFAULT, seconds === 0 ? null : seconds);
}

/**
 * What the default makes of a conversation in which the first message is being written; null where that is not so, or it has a timer
 * of its own. Notes to oneself are for keeping.
 * @param own wire address
 */
export function timerToBegin(
  context: Context,
  { id, partner }: StoredConversation,
  own: string,
): number | null {
  if (partner.kind !== 'direct' || partner.peer.address === own) return null;
  const isNew =
    context.timelines.lastId(id) === null && context.contacts.timer(partner.peer.address) === null;
  const seconds = isNew ? defaultTimer(context) : 0;
  return seconds === 0 ? null : seconds;
}

/** That a message which comes disappears; null if it stays. @param isOwn whether the person wrote it on another device */
export function lifetimeIn(
  body: MessageBody,
  { isOwn, receivedAt }: { isOwn: boolean; receivedAt: number },
  now: number,
): StoredLifetime | null {
  const { expires } = extrasOf(body);
  if (expires === null) return null;
  return { expires, ...lifetimeOf(expires, { isOwn, sentAt: decodeTime(body.sentAt), receivedAt }, now) };
}

/** The same of a message that is written here. */
export function lifetimeWritten(body: MessageBody, now: number): StoredLifetime | null {
  const { expires } = extrasOf(body);
  return expires === null ? null : { expires, ...lifetimeOf(expires, null, now) };
}
