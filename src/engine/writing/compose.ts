/** Writing of messages and controls: durable with an outbox entry before anything is sent. */
import { Failure } from '../../base/failure.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { nextSentAt, type Version } from '../../messaging/contents/versions.ts';
import { placeOf } from '../../messaging/groups/chain-memory.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredGroup } from '../cache/groups.ts';
import type { StoredMessage } from '../cache/message-rows.ts';
import type { PendingControl } from '../cache/pending-controls.ts';
import { applyControl, managesNow } from '../content-store.ts';
import type { Context } from '../context.ts';
import type { Online } from '../online.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { lifetimeWritten, timerOf, timerToBegin } from '../timers.ts';
import { continueAccepted } from './after-accepting.ts';

/**
 * Queues an own message.
 * @returns it as stored, in state `queued`
 * @throws Failure if the conversation is not writable
 */
export function compose(
  parts: EngineParts,
  conversation: StoredConversation,
  content: Content,
): StoredMessage {
  const { context } = parts;
  const { conversations, messages, outbox } = context;
  const online = requireOnline(parts);
  const { id: chat } = conversation;
  const stored = context.transaction(() => {
    const begins = timerToBegin(context, conversation, online.account.address);
    const expires = begins ?? timerOf(context, conversation);
    const words = expires === 0 ? content : { ...content, expires };
    const body = newBody(context, online, conversation, words, null);
    // Answering a request accepts it.
    if (conversation.state === 'request') conversations.setState(chat, 'accepted');
    const now = context.now();
    const lifetime = lifetimeWritten(body, now);
    const id = messages.insert({
      conversationId: chat,
      sender: body.sender,
      uid: decodeBase64Url(body.id),
      body,
      sentAt: now,
      storedAt: now,
      state: 'queued',
      trust: 'self',
      seq: body.seq,
      deviceId: online.account.deviceId,
      lifetime,
    });
    outbox.add(id, chat, context.identity.relayUrl(), now);
    conversations.messageAdded(chat, id, false, now);
    // Behind it: a control alone creates no chat.
    if (begins !== null)
      queueControl(context, online, conversation, { kind: 'timer', seconds: begins }, null);
    if (lifetime) context.lifetimes.reportEnd(lifetime.endsAt);
    // The sent text was the draft.
    if (['text', 'attachment'].includes(content.kind) && content.forwarded !== true)
      conversations.saveDraft(chat, '');
    return messages.get(id);
  });
  if (!stored) throw new Error('a message that was just inserted is missing');
  if (conversation.state === 'request') continueAccepted(parts, conversation);
  emitQueued(context, online, chat);
  return stored;
}

/**
 * Applies an own control here, and queues it.
 * @param replaced version of the replaced value; null for none
 * @throws Failure if the conversation is not writable
 */
export function composeControl(
  parts: EngineParts,
  conversation: StoredConversation,
  content: Content,
  replaced: Version | null,
): void {
  const { context } = parts;
  const online = requireOnline(parts);
  const hasErased = context.transaction(() => queueControl(context, online, conversation, content, replaced));
  if (hasErased) context.eraseTraces();
  emitQueued(context, online, conversation.id);
}

/**
 * In the caller's transaction.
 * @returns whether text was erased from the disk
 */
function queueControl(
  context: Context,
  online: Online,
  conversation: StoredConversation,
  content: Content,
  replaced: Version | null,
): boolean {
  let hasErased = false;
  const body = newBody(context, online, conversation, content, replaced);
  const now = context.now();
  const control: PendingControl = {
    ...{ channel: conversation.partner.kind, body, proof: 'signed', bot: null },
    ...{ manages: managesNow(context, conversation, body.sender), receivedAt: now, askedFor: false },
  };
  applyControl(context, conversation, online.account.address, control, () => {
    hasErased = true;
  });
  const id = context.sentControls.insert(conversation.id, body, now);
  context.outbox.addControl(id, conversation.id, context.identity.relayUrl(), now);
  return hasErased;
}

/** An own body with the next number of its conversation. In the caller's transaction. */
function newBody(
  context: Context,
  { account: { address: sender } }: Online,
  { id, state, partner }: StoredConversation,
  content: Content,
  replaced: Version | null,
): MessageBody {
  if (state === 'blocked') throw new Failure('person_blocked');
  const uid = randomBytes(16);
  const last = context.conversations.lastSentAt(id);
  const sentAt = nextSentAt(context.now(), last, replaced && decodeTime(replaced.sentAt));
  const frame = { id: encodeBase64Url(uid), sender, sentAt: encodeTime(sentAt), ...content };
  context.seen.add(sender, uid, { isSigned: true, isStranger: false }, context.now());
  if (partner.kind === 'direct') {
    const { address: peer } = partner.peer;
    return { ...frame, peer, seq: context.contacts.reserveSeq(peer) };
  }
  const group = requireJoined(context.groups.get(partner.groupId));
  // The current entry of the chain. It is replaced if the chain changes before the first copy is sent.
  const roster = placeOf(group.state);
  return { ...frame, groupId: group.groupId, roster, seq: context.groups.reserveSeq(group.id) };
}

function emitQueued(context: Context, online: Online, chat: number): void {
  context.emit('messages.changed', { conversationId: String(chat) });
  context.emit('conversations.changed', { ids: [String(chat)] });
  online.queued();
}

function requireJoined(group: StoredGroup | null): StoredGroup {
  if (group?.joined) return group;
  throw new Failure('group_left');
}
