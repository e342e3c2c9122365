import { Failure } from '../../../src/base/failure.ts';
import type { Conversation } from '../../../src/bridge/shapes.ts';
import type { AnswersOf, Tell } from '../bridge.ts';
import { addDirect, lastOf, message } from '../conversations.ts';
import type { World } from '../world.ts';

/** Conversations and their messages. What is sent is sent at once, and nobody answers. */
export function conversationAnswers(world: World, tell: Tell): AnswersOf<'conversations' | 'messages'> {
  const find = (id: string): Conversation => {
    const found = world.conversations.find((each) => each.id === id);
    if (!found) throw new Failure('chat_deleted');
    return found;
  };
  const changed = (id: string) => tell('conversations.changed', { ids: [id] });
  const change = (id: string, part: Partial<Conversation>) => {
    const conversation = Object.assign(find(id), part);
    changed(id);
    return conversation;
  };
  const messagesOf = (id: string) => world.messages.get(id) ?? [];
  const ownMessage = (id: string) => {
    const found = [...world.messages.values()].flat().find((each) => each.id === id);
    if (!found) throw new Failure('message_deleted');
    return found;
  };
  const timelineChanged = (id: string) => {
    find(id).last = lastOf(messagesOf(id));
    tell('messages.changed', { conversationId: id });
    changed(id);
  };

  return {
    'conversations.list': () => world.conversations,
    'conversations.get': ({ id }) => find(id),
    'conversations.open': ({ address }) => {
      const known = world.conversations.find(
        (each) => each.kind === 'direct' && each.peer.address === address,
      );
      if (known) return known;
      const peer = world.people.find((each) => each.address === address);
      const made = addDirect(
        world,
        peer ?? { address, handle: null, displayName: null, handleVerified: false },
      );
      changed(made.id);
      return made;
    },
    'conversations.accept': ({ id }) => change(id, { state: 'accepted' }),
    'conversations.block': ({ id }) => change(id, { state: 'blocked' }),
    'conversations.unblock': ({ id }) => change(id, { state: 'accepted' }),
    'conversations.delete': ({ id }) => {
      world.conversations = world.conversations.filter((each) => each.id !== id);
      changed(id);
      return {};
    },
    'conversations.markRead': ({ id }) => {
      if (find(id).unread > 0) change(id, { unread: 0, firstUnreadId: null });
      return {};
    },
    'conversations.setMuted': ({ id, muted }) => change(id, { muted }),
    'conversations.saveDraft': ({ id, text }) => {
      change(id, { draft: text });
      return {};
    },
    'conversations.acknowledgeDevices': ({ id }) => {
      change(id, { devicesChange: null });
      return {};
    },

    'messages.list': ({ conversationId, before, after, limit }) => {
      const all = messagesOf(conversationId);
      if (after !== undefined) {
        const newer = all.filter(({ id }) => Number(id) > Number(after));
        return { messages: newer.slice(0, limit), hasOlder: true, hasNewer: newer.length > limit };
      }
      const older = before === undefined ? all : all.filter(({ id }) => Number(id) < Number(before));
      return {
        messages: older.slice(-limit),
        hasOlder: older.length > limit,
        hasNewer: before !== undefined,
      };
    },
    'messages.send': ({ conversationId, text }) => {
      const all = messagesOf(conversationId);
      const state = world.connection.state === 'online' ? 'sent' : 'queued';
      const sent = message(world, conversationId, [null, text, { state }], all.length + 1, Date.now());
      world.messages.set(conversationId, [...all, sent]);
      timelineChanged(conversationId);
      return sent;
    },
    'messages.retry': ({ id }) => {
      const retried = Object.assign(ownMessage(id), { state: 'sent' as const, problem: null });
      timelineChanged(retried.conversationId);
      return retried;
    },
    'messages.discard': ({ id }) => {
      const { conversationId } = ownMessage(id);
      world.messages.set(
        conversationId,
        messagesOf(conversationId).filter((each) => each.id !== id),
      );
      timelineChanged(conversationId);
      return {};
    },
  };
}
