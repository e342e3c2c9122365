/**
 * Writing a message: with its entry in the outbox it is durable before anything is sent.
 */
import { Failure } from '../base/failure.ts';
import type { Content } from '../messaging/contents/kind.ts';
import { placeOf } from '../messaging/groups/chain-memory.ts';
import { randomBytes } from '../protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../protocol/encoding.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { StoredMessage } from './cache/messages.ts';
import { type EngineParts, requireOnline } from './parts.ts';

/**
 * Queues a message of the person's own.
 * @returns it as stored, in state `queued`
 * @throws Failure if nothing can be written to this conversation
 */
export function compose(
  parts: EngineParts,
  conversation: StoredConversation,
  content: Content,
): StoredMessage {
  const { context } = parts;
  const { conversations, messages, outbox } = context;
  const online = requireOnline(parts);
  if (conversation.state === 'blocked') {
    throw new Failure('person_blocked');
  }
  const { id: chat, partner } = conversation;
  const destination =
    partner.kind === 'direct' ? partner.peer.address : requireJoined(context.groups.get(partner.groupId));
  const uid = randomBytes(16);
  const sender = online.account.address;
  const stored = context.transaction(() => {
    // Answering a request accepts it.
    if (conversation.state === 'request') conversations.setState(chat, 'accepted');
    const now = context.now();
    const seq =
      typeof destination === 'string'
        ? context.contacts.takeSeq(destination)
        : context.groups.takeSeq(destination.id);
    context.seen.add(sender, uid, true, now);
    const id = messages.insert({
      conversationId: chat,
      sender,
      uid,
      body: {
        id: encodeBase64Url(uid),
        sender,
        sentAt: encodeTime(now),
        ...content,
        ...(typeof destination === 'string'
          ? { peer: destination, seq }
          : {
              groupId: destination.groupId,
              // As the chain is now; named again if it has gone on before anybody has a copy.
              roster: placeOf(destination.state),
              seq,
            }),
      },
      sentAt: now,
      storedAt: now,
      state: 'queued',
      trust: 'self',
      seq,
    });
    outbox.add(id, chat, context.identity.relayUrl(), now);
    conversations.messageAdded(chat, id, false, now);
    // What stood in the composer is the message now.
    if (content.kind === 'text') conversations.saveDraft(chat, '');
    return messages.get(id);
  });
  if (!stored) throw new Error('a message that was just inserted is missing');
  context.emit('messages.changed', { conversationId: String(chat) });
  context.emit('conversations.changed', { ids: [String(chat)] });
  online.queued();
  return stored;
}

function requireJoined(group: StoredGroup | null): StoredGroup {
  if (group?.joined) return group;
  throw new Failure('group_left');
}
