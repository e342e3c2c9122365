/**
 * The disappearing-message timer of a conversation. In a direct one, the last value of either side counts; in
 * a group, the chain's.
 */

import { lifetimeOf } from '../messaging/contents/disappearing.ts';
import { extrasOf } from '../messaging/contents/extras.ts';
import { TimerContent } from '../messaging/contents/kinds/timer.ts';
import type { MessageBody } from '../messaging/sending/outgoing.ts';
import { decodeTime } from '../protocol/encoding.ts';
import type { DirectBody } from '../protocol/payload.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { StoredLifetime } from './cache/message-rows.ts';
import { HERE } from './cache/own-registers.ts';
import type { Context } from './context.ts';

/** Key of the shared default for new chats, in seconds. */
const DEFAULT = 'setting/timer';

/** Current timer in seconds; 0 for never. */
export function timerOf(
  { contacts, groups }: Pick<Context, 'contacts' | 'groups'>,
  { partner }: Pick<StoredConversation, 'partner'>,
): number {
  if (partner.kind === 'direct') return contacts.timer(partner.peer.address)?.seconds ?? 0;
  return groups.get(partner.groupId)?.state.timer ?? 0;
}

/**
 * Stores a timer for a contact without a conversation: the person has deleted it, or has set the timer on
 * another device.
 * @param body signed, of any kind
 * @param deviceId of the device that signed it
 * @param own wire address
 * @returns whether it is the current timer
 */
export function storeTimer(
  { contacts }: Pick<Context, 'contacts'>,
  body: DirectBody,
  deviceId: string | null,
  own: string,
): boolean {
  const content = TimerContent.safeParse(body).data;
  if (!content) return false;
  const { sender, sentAt, id, peer } = body;
  const partner = sender === own ? peer : sender;
  if (sender !== own && !contacts.hadChat(partner)) return false;
  const timer = { seconds: content.seconds, sentAt, id, sender };
  return contacts.setTimer(partner, timer, sender === own ? { ...HERE, deviceId } : HERE);
}

/** Default timer of new chats, in seconds; 0 for never. */
export function defaultTimer({ ownRegisters }: Pick<Context, 'ownRegisters'>): number {
  return (ownRegisters.valueOf(DEFAULT) as number | null) ?? 0;
}

export function setDefaultTimer({ own }: Pick<Context, 'own'>, seconds: number): void {
  own.set(DEFAULT, seconds === 0 ? null : seconds);
}

/**
 * Timer to set before the first message of a conversation. Null if there are messages, if it has a timer, or
 * in the chat with oneself.
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

/**
 * Lifetime of a received message; null if it does not disappear.
 * @param isOwn whether the person wrote it on another device
 */
export function lifetimeIn(
  body: MessageBody,
  { isOwn, receivedAt }: { isOwn: boolean; receivedAt: number },
  now: number,
): StoredLifetime | null {
  const { expires } = extrasOf(body);
  if (expires === null) return null;
  return { expires, ...lifetimeOf(expires, { isOwn, sentAt: decodeTime(body.sentAt), receivedAt }, now) };
}

/** Lifetime of a message written here. */
export function lifetimeWritten(body: MessageBody, now: number): StoredLifetime | null {
  const { expires } = extrasOf(body);
  return expires === null ? null : { expires, ...lifetimeOf(expires, null, now) };
}
