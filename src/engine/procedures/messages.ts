/**
 * Messages: pages of a timeline, sending, and what to do with one that failed.
 */
import { native } from '../../protocol/crypto/native.ts';
import { encodeBase64Url, encodeTime, encodeUtf8 } from '../../protocol/encoding.ts';
import { membersHash } from '../../protocol/members-hash.ts';
import { MAX_PAYLOAD_BYTES } from '../../protocol/padding.ts';
import type { StoredGroup } from '../cache/groups.ts';
import type { StoredMessage } from '../cache/messages.ts';
import { EngineFailure } from '../failure.ts';
import { type EngineParts, type Procedures, requireOnline } from './implementation.ts';
import { namesOf, toMessage } from './views.ts';

type Names = Extract<keyof Procedures, `messages.${string}`>;

/** Room in a payload for everything of it that is not the text: label, signature, the other fields of the body. */
const PAYLOAD_OVERHEAD = 1024;

export function messageProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, messages, outbox } = context;

  const findOwn = (id: string, state: 'failed' | 'queued'): StoredMessage => {
    const message = messages.get(Number(id));
    if (!message) throw new EngineFailure('not_found', 'This message was deleted.');
    if (message.state !== state)
      throw new EngineFailure('invalid_input', 'This message is already on its way.');
    return message;
  };
  const requireGroup = (id: number): StoredGroup => {
    const group = context.groups.get(id);
    if (group?.joined) return group;
    throw new EngineFailure('refused', 'You are no longer in this group, so nothing can be sent to it.');
  };
  const shown = (page: StoredMessage[]) => {
    const names = namesOf(context);
    return page.map((message) => toMessage(message, names));
  };
  const changed = (conversationId: number) => {
    context.emit('messages.changed', { conversationId: String(conversationId) });
    context.emit('conversations.changed', { ids: [String(conversationId)] });
  };

  return {
    'messages.list': ({ conversationId, before, after, limit }) => {
      const conversation = Number(conversationId);
      // One more than asked for tells whether there is more.
      if (after !== undefined) {
        const page = messages.after(conversation, Number(after), limit + 1);
        return {
          messages: shown(page.slice(0, limit)),
          hasOlder: true,
          hasNewer: page.length > limit,
        };
      }
      const page = messages.before(
        conversation,
        before === undefined ? Number.MAX_SAFE_INTEGER : Number(before),
        limit + 1,
      );
      return {
        messages: shown(page.slice(-limit)),
        hasOlder: page.length > limit,
        hasNewer: before !== undefined,
      };
    },

    'messages.send': ({ conversationId, text }) => {
      const online = requireOnline(parts);
      if (text.trim() === '') throw new EngineFailure('invalid_input', 'There is nothing to send yet.');
      if (encodeUtf8(JSON.stringify(text)).length > MAX_PAYLOAD_BYTES - PAYLOAD_OVERHEAD) {
        throw new EngineFailure('invalid_input', 'This message is too long. Send it in several parts.');
      }
      const conversation = conversations.get(Number(conversationId));
      if (!conversation) throw new EngineFailure('not_found', 'This conversation was deleted.');
      if (conversation.state === 'blocked') {
        throw new EngineFailure('refused', 'You have blocked this person. Unblock them to write to them.');
      }
      const { id: chat, partner } = conversation;
      const destination = partner.kind === 'direct' ? partner.peer.address : requireGroup(partner.groupId);
      const uid = native.randomBytes(16);
      const sender = online.account.address;
      const stored = context.transaction(() => {
        // Whoever answers a request has accepted it.
        if (conversation.state === 'request') conversations.setState(chat, 'accepted');
        const now = context.now();
        const id = messages.insert({
          conversationId: chat,
          sender,
          uid,
          body: {
            id: encodeBase64Url(uid),
            sender,
            sentAt: encodeTime(now),
            kind: 'text',
            text,
            ...(typeof destination === 'string'
              ? { peer: destination, seq: context.contacts.takeSeq(destination) }
              : {
                  groupId: destination.groupId,
                  // Of the members as they are now; named anew if they have changed before anybody has a copy.
                  members: membersHash(native, destination.members),
                  seq: context.groups.takeSeq(destination.id),
                }),
          },
          sentAt: now,
          storedAt: now,
          state: 'queued',
          trust: 'self',
        });
        if (id === null) throw new Error('a random id came twice');
        outbox.add(id, chat, now);
        conversations.messageAdded(chat, id, false, now);
        conversations.saveDraft(chat, '');
        return messages.get(id);
      });
      if (!stored) throw new Error('a message that was just inserted is missing');
      changed(chat);
      online.queued();
      return toMessage(stored, namesOf(context));
    },

    'messages.retry': ({ id }) => {
      const online = requireOnline(parts);
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        messages.setState(message.id, 'queued', null);
        outbox.add(message.id, message.conversationId, context.now());
      });
      changed(message.conversationId);
      online.queued();
      return toMessage({ ...message, state: 'queued', problem: null }, namesOf(context));
    },

    'messages.discard': ({ id }) => {
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        messages.remove(message.id);
        conversations.setLastMessage(message.conversationId, messages.lastId(message.conversationId));
      });
      changed(message.conversationId);
      return {};
    },
  };
}
