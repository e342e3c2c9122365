import { Failure } from '../../../src/base/failure.ts';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import { findMentionable } from '../../../src/engine/writing/mentionable.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { addDirect, type Line, member, mentionsMe, message } from '../conversations.ts';
import { NOW } from '../people.ts';
import type { World } from '../world.ts';

/** Conversations; their messages are in ./messages.ts. */
export function conversationAnswers(world: World, emit: Emit): AnswersOf<'conversations'> {
  const find = (id: string): Conversation => {
    const found = world.conversations.find((each) => each.id === id);
    if (!found) throw new Failure('chat_deleted');
    return found;
  };
  const beforeBlock = new Map<string, Conversation['state']>();
  const changed = (id: string) => emit('conversations.changed', { ids: [id] });
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
        peer ?? {
          address,
          handle: null,
          displayName: null,
          nickname: null,
          handleVerified: false,
          picture: null,
        },
        [],
        {
          activeAt: NOW,
          isSelf: address === world.me.address,
          peerHasWritten: false,
          peerHasAccepted: false,
        },
      );
      changed(made.id);
      return made;
    },
    'conversations.accept': ({ id }) => change(id, { state: 'accepted' }),
    'conversations.block': ({ id }) => {
      beforeBlock.set(id, find(id).state);
      return change(id, { state: 'blocked' });
    },
    'conversations.unblock': ({ id }) => {
      return change(id, { state: beforeBlock.get(id) ?? 'accepted' });
    },
    'conversations.delete': ({ id }) => {
      world.conversations = world.conversations.filter((each) => each.id !== id);
      changed(id);
      return {};
    },
    'conversations.markRead': ({ id, upTo }) => {
      const { unread, markedUnread } = find(id);
      if (unread === 0 && !markedUnread) return {};
      const left = (world.messages.get(id) ?? []).filter(
        (each) => upTo !== null && Number(each.id) > Number(upTo) && each.state === 'received',
      );
      const mentions = left.filter((each) => mentionsMe(world, each));
      change(id, {
        unread: left.length,
        unreadMentions: mentions.length,
        markedUnread: false,
        firstUnreadId: left[0]?.id ?? null,
        firstMentionId: mentions[0]?.id ?? null,
      });
      return {};
    },
    'conversations.markUnread': ({ id, from }) => {
      const messages = world.messages.get(id) ?? [];
      const first = from ?? messages.findLast(({ state }) => state === 'received')?.id ?? null;
      const unread = messages.filter(
        (each) => first !== null && Number(each.id) >= Number(first) && each.state === 'received',
      ).length;
      return change(id, { markedUnread: true, unread, firstUnreadId: first });
    },
    'conversations.setMuted': ({ id, until }) => change(id, { mutedUntil: until }),
    'conversations.setPinned': ({ id, pinned }) =>
      change(id, pinned ? { pinned, archived: false } : { pinned }),
    'conversations.setArchived': ({ id, archived }) =>
      change(id, archived ? { archived, pinned: false } : { archived }),
    'conversations.setTimer': ({ id, seconds }) => {
      const conversation = find(id);
      if (conversation.timer === seconds) return conversation;
      const lines = world.messages.get(id) ?? [];
      const { address, handle, displayName } = world.me;
      const who = { address, handle, displayName, nickname: null, handleVerified: false, picture: null };
      const event = { type: 'timer' as const, who, by: null, seconds, before: null };
      const line: Line = [who, '', { kind: 'event', event, state: 'sent' }];
      world.messages.set(id, [...lines, message(world, id, line, lines.length + 1, Date.now())]);
      emit('messages.changed', { conversationId: id });
      return change(id, { timer: seconds });
    },
    'conversations.defaultTimer': () => ({ seconds: world.defaultTimer }),
    'conversations.setDefaultTimer': ({ seconds }) => {
      world.defaultTimer = seconds;
      emit('app.changed', {});
      return { seconds };
    },
    'conversations.saveDraft': ({ id, text, mentions = [] }) => {
      change(id, { draft: text, draftMentions: mentions });
      return {};
    },
    'conversations.mentionable': ({ id, text }) => {
      const conversation = find(id);
      const own = member(world.me).person;
      const people =
        conversation.kind === 'group'
          ? (world.groups.get(id)?.members.map(({ person }) => person) ?? [])
          : [conversation.peer, own];
      const last = (world.messages.get(id) ?? []).map(({ sender }) => sender).reverse();
      return findMentionable(people, text, { last: [...new Set(last)], own: own.address }).slice(0, 8);
    },
    'conversations.acknowledgeDevices': ({ id }) => {
      change(id, { devicesChange: null });
      return {};
    },
  };
}
