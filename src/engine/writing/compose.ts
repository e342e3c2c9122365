/** Writing of messages and controls: durable with an outbox entry before anything is sent. */
import type { Content } from '../../messaging/contents/kind.ts';
import { editableFieldOf } from '../../messaging/contents/message-kinds.ts';
import { textOf } from '../../messaging/contents/shown.ts';
import type { Version } from '../../messaging/contents/versions.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredMessage } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';
import type { Online } from '../online.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { newBody, queueControl } from '../sending/queue-control.ts';
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
    const token = conversations.inviteToken(chat);
    const words = { ...content, ...(expires !== 0 && { expires }), ...(token !== null && { token }) };
    const body = newBody(context, online.account.address, conversation, words, null);
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
    context.links.set(id, chat, textOf(context.contents.judge(conversation.partner.kind, body)));
    outbox.add(id, chat, context.identity.relayUrl(), now);
    conversations.messageAdded(chat, id, 0, now);
    // After the message: a control alone creates no chat.
    if (begins !== null)
      queueControl(context, online.account.address, conversation, { kind: 'timer', seconds: begins }, null);
    if (lifetime) context.lifetimes.reportEnd(lifetime.endsAt);
    // The sent text was the draft.
    if (editableFieldOf(content.kind) !== null && content.forwarded !== true)
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
 * @param onQueued called in the same transaction
 * @throws Failure if the conversation is not writable
 */
export function composeControl(
  parts: EngineParts,
  conversation: StoredConversation,
  content: Content,
  replaced: Version | null,
  onQueued: () => void = () => undefined,
): void {
  const { context } = parts;
  const online = requireOnline(parts);
  const hasErased = context.transaction(() => {
    const erases = queueControl(context, online.account.address, conversation, content, replaced);
    onQueued();
    return erases;
  });
  if (hasErased) context.eraseTraces();
  emitQueued(context, online, conversation.id);
}

function emitQueued(context: Context, online: Online, chat: number): void {
  context.emit('messages.changed', { conversationId: String(chat) });
  context.emit('conversations.changed', { ids: [String(chat)] });
  online.queued();
}
