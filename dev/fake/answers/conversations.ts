import { Failure } from '../../../src/base/failure.ts';
import type { Conversation } from '../../../src/bridge/shapes.ts';
import type { AnswersOf, Tell } from '../bridge.ts';
import { addDirect } from '../conversations.ts';
import { NOW } from '../people.ts';
import type { World } from '../world.ts';

/** Conversations; their messages are in ./messages.ts. */
export function conversationAnswers(world: World, tell: Tell): AnswersOf<'conversations'> {
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
        [],
        { activeAt: NOW },
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
  };
}
