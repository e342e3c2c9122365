/** Own bodies with their numbers, and controls in the outbox. */
import { Failure } from '../../base/failure.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { nextSentAt, type Version } from '../../messaging/contents/versions.ts';
import { placeOf } from '../../messaging/groups/chain-memory.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { PendingControl } from '../cache/pending-controls.ts';
import { applyControl, managesNow } from '../content-store.ts';
import type { Context } from '../context.ts';

/**
 * Queues a control for some members of a group alone, who have joined since it was sent to the others. It has no number.
 * In the caller's transaction; the caller wakes the outbox afterwards.
 */
export function queueControlFor(
  context: Context,
  own: string,
  conversation: StoredConversation,
  content: Content,
  members: readonly string[],
): void {
  const body = newBody(context, own, conversation, content, null, false);
  const now = context.now();
  const id = context.sentControls.insert(conversation.id, body, now);
  context.outbox.addControlFor(id, conversation.id, context.identity.relayUrl(), now, members);
}

/**
 * In the caller's transaction; the caller wakes the outbox afterwards.
 * @returns whether text was erased from the disk
 */
export function queueControl(
  context: Context,
  own: string,
  conversation: StoredConversation,
  content: Content,
  replaced: Version | null,
): boolean {
  let hasErased = false;
  const body = newBody(context, own, conversation, content, replaced);
  const now = context.now();
  const control: PendingControl = {
    ...{ channel: conversation.partner.kind, body, proof: 'signed', bot: null },
    ...{ manages: managesNow(context, conversation, body.sender), receivedAt: now, isRequested: false },
  };
  applyControl(context, conversation, own, control, () => {
    hasErased = true;
  });
  const id = context.sentControls.insert(conversation.id, body, now);
  context.outbox.addControl(id, conversation.id, context.identity.relayUrl(), now);
  return hasErased;
}

/** An own body with the next number of its conversation, or none. In the caller's transaction. */
export function newBody(
  context: Context,
  sender: string,
  { id, state, partner }: StoredConversation,
  content: Content,
  replaced: Version | null,
  isCounted = true,
): MessageBody {
  if (state === 'blocked') throw new Failure('person_blocked');
  const uid = randomBytes(16);
  const last = context.conversations.lastSentAt(id);
  const sentAt = nextSentAt(context.now(), last, replaced && decodeTime(replaced.sentAt));
  const frame = { id: encodeBase64Url(uid), sender, sentAt: encodeTime(sentAt), ...content };
  context.seen.add(sender, uid, { isSigned: true, isStranger: false }, context.now());
  if (partner.kind === 'direct') {
    const { address: peer } = partner.peer;
    return { ...frame, peer, seq: isCounted ? context.contacts.reserveSeq(peer) : 0 };
  }
  const group = requireJoined(context.groups.get(partner.groupId));
  // The current entry of the chain. It is replaced if the chain changes before the first copy is sent.
  const roster = placeOf(group.state);
  const seq = isCounted ? context.groups.reserveSeq(group.id) : 0;
  return { ...frame, groupId: group.groupId, roster, seq };
}

function requireJoined(group: StoredGroup | null): StoredGroup {
  if (group?.joined) return group;
  throw new Failure('group_left');
}
