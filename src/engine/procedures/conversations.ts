/**
 * Conversations: list, open, accept, block, read, draft.
 */
import { parseAddress } from '../../base/address.ts';
import { Failure } from '../../base/failure.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { EngineParts } from '../parts.ts';
import { namesOf, toConversation } from '../views.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `conversations.${string}`>;

export function conversationProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, messages, contacts } = context;

  const find = (id: string): StoredConversation => {
    const conversation = conversations.get(Number(id));
    if (!conversation) throw new Failure('chat_deleted');
    return conversation;
  };
  const view = (conversation: StoredConversation) => toConversation(context, conversation, namesOf(context));
  const changed = (id: number) => context.emit('conversations.changed', { ids: [String(id)] });
  const setState = (id: string, state: StoredConversation['state']) => {
    const conversation = find(id);
    conversations.setState(conversation.id, state);
    changed(conversation.id);
    return view(find(id));
  };

  return {
    'conversations.list': () => {
      const names = namesOf(context);
      return conversations.list().map((conversation) => toConversation(context, conversation, names));
    },
    'conversations.get': ({ id }) => view(find(id)),
    'conversations.open': ({ address }) => {
      const contact = contacts.ensure(parseAddress(address), context.now());
      const existing = conversations.findByContact(contact.id);
      if (existing) return view(existing);
      const conversation = conversations.ensure(contact.id, 'accepted', context.now());
      changed(conversation.id);
      return view(conversation);
    },
    'conversations.accept': ({ id }) => setState(id, 'accepted'),
    'conversations.block': ({ id }) => setState(id, 'blocked'),
    'conversations.unblock': ({ id }) => setState(id, 'accepted'),
    'conversations.delete': ({ id }) => {
      const conversation = find(id);
      conversations.remove(conversation.id);
      context.eraseTraces();
      changed(conversation.id);
      parts.online?.connection.queueChanged();
      return {};
    },
    'conversations.markRead': ({ id, upTo }) => {
      const conversation = find(id);
      if (!Number.isSafeInteger(Number(upTo))) throw new Failure('message_unknown');
      const lastRead = messages.readUpTo(conversation.id, Number(upTo), conversation.lastReadId);
      const unread = messages.countReceivedAfter(conversation.id, lastRead);
      if (lastRead === conversation.lastReadId && unread === conversation.unread) return {};
      conversations.markRead(conversation.id, lastRead, unread);
      changed(conversation.id);
      return {};
    },
    'conversations.setMuted': ({ id, muted }) => {
      conversations.setMuted(find(id).id, muted);
      changed(Number(id));
      return view(find(id));
    },
    'conversations.saveDraft': ({ id, text }) => {
      const conversation = find(id);
      if (conversation.draft === text) return {};
      conversations.saveDraft(conversation.id, text);
      changed(conversation.id);
      return {};
    },
    'conversations.acknowledgeDevices': ({ id }) => {
      conversations.acknowledgeDevices(find(id).id);
      changed(Number(id));
      return {};
    },
  };
}
