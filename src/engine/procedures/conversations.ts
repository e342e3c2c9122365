/**
 * Conversations: list, open, accept, block, read, draft.
 */
import { parseAddress } from '../../base/address.ts';
import { Failure } from '../../base/failure.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import { isMember } from '../../protocol/roster/state.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { removeConversation } from '../erasing.ts';
import type { Mark } from '../own/state.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { markRead, messageNumber } from '../read-position.ts';
import { defaultTimer, setDefaultTimer } from '../timers.ts';
import { namesOf, toConversation, toPerson } from '../views/conversations.ts';
import { continueAccepted } from '../writing/after-accepting.ts';
import { findMentionable } from '../writing/mentionable.ts';
import { addressesIn, mentionsThatCount } from '../writing/mentions.ts';
import { setDirectTimer } from '../writing/set-direct-timer.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `conversations.${string}`>;

const MAX_MENTIONABLE = 8;
/** Messages that are searched for the last authors. */
const LOOKED_AT_FOR_SENDERS = 200;

export function conversationProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, messages, timelines, contacts } = context;

  const find = (id: string): StoredConversation => {
    const conversation = conversations.get(Number(id));
    if (!conversation) throw new Failure('chat_deleted');
    return conversation;
  };
  const view = (conversation: StoredConversation) => toConversation(context, conversation, namesOf(context));
  /** Reports whether the face of a deleted chat is shown elsewhere: of oneself, or in a group of the person. */
  const hasOtherUse = ({ name, partner }: StoredConversation): boolean => {
    if (name === context.identity.get()?.address) return true;
    if (partner.kind === 'group') return context.groups.get(partner.groupId)?.joined ?? false;
    return context.groups.joined().some(({ state }) => isMember(state, name));
  };
  const changed = (id: number) => context.emit('conversations.changed', { ids: [String(id)] });
  /** The rights on messages depend on the state of their chat, which a block that ends may have removed. */
  const stateChanged = (id: number) => {
    if (conversations.get(id)) context.emit('messages.changed', { conversationId: String(id) });
    changed(id);
  };
  const { own } = context;
  /** Accepted or blocked. Blocked people are shared between own devices. */
  const setState = (id: string, state: StoredConversation['state']) => {
    const conversation = find(id);
    conversations.setState(conversation.id, state);
    if (conversation.partner.kind === 'direct')
      own.mark('blocked', conversation.name, state === 'blocked' ? true : null);
    parts.online?.transfers.wake();
    stateChanged(conversation.id);
    return view(find(id));
  };
  const mark = (id: string, marks: Partial<Record<Mark, unknown>>) => {
    const { name } = find(id);
    for (const [each, value] of Object.entries(marks)) own.mark(each as Mark, name, value);
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
    'conversations.accept': ({ id }) => {
      const accepted = setState(id, 'accepted');
      continueAccepted(parts, find(id));
      return accepted;
    },
    'conversations.block': ({ id }) => setState(id, 'blocked'),
    'conversations.unblock': ({ id }) => {
      const { name, partner, ...chat } = find(id);
      if (partner.kind === 'direct') own.unblock(name);
      else {
        conversations.endBlock(chat.id);
        stateChanged(chat.id);
      }
      parts.online?.transfers.wake();
      const left = own.find(name);
      return left && view(left);
    },
    'conversations.delete': ({ id }) => {
      const conversation = find(id);
      removeConversation(context, conversation.id, () => {
        if (!hasOtherUse(conversation)) context.faces.remove(conversation.name);
      });
      changed(conversation.id);
      parts.online?.connection.queueChanged();
      return {};
    },
    'conversations.markRead': ({ id, upTo }) => {
      const conversation = find(id);
      markRead(parts, conversation, upTo === null ? undefined : messageNumber(upTo));
      return {};
    },
    'conversations.markUnread': ({ id, from }) => {
      const conversation = find(id);
      const message = from === null ? null : messages.get(Number(from));
      if (from !== null && (message?.conversationId !== conversation.id || message.event))
        throw new Failure('message_unknown');
      const first = message
        ? { sender: message.sender, id: message.body.id }
        : timelines.lastNamedUpTo(conversation.id, Number.MAX_SAFE_INTEGER);
      return first ? mark(id, { unread: first }) : view(conversation);
    },
    'conversations.setMuted': ({ id, until }) =>
      mark(id, { muted: typeof until === 'number' ? { until: encodeTime(until) } : until && true }),
    'conversations.setPinned': ({ id, pinned }) =>
      mark(id, pinned ? { pinned: true, archived: null } : { pinned: null }),
    'conversations.setArchived': ({ id, archived }) =>
      mark(id, archived ? { archived: true, pinned: null } : { archived: null }),
    'conversations.setTimer': async ({ id, seconds }) => {
      const online = requireOnline(parts);
      const conversation = find(id);
      const { partner } = conversation;
      if (partner.kind === 'direct') {
        setDirectTimer(parts, partner.peer.address, seconds);
        return view(find(id));
      }
      const group = context.groups.get(partner.groupId);
      if (!group) throw new Failure('group_unknown');
      await online.groups.change(group.groupId, ({ timer }) =>
        timer === seconds ? null : { kind: 'change', timer: seconds },
      );
      return view(find(id));
    },
    'conversations.defaultTimer': () => ({ seconds: defaultTimer(context) }),
    'conversations.setDefaultTimer': ({ seconds }) => {
      setDefaultTimer(context, seconds);
      return { seconds };
    },
    'conversations.saveDraft': ({ id, text, mentions = [] }) => {
      const conversation = find(id);
      const counting = mentionsThatCount(text, mentions, addressesIn(context, conversation));
      const isSame = JSON.stringify(counting) === JSON.stringify(conversation.draftMentions);
      if (conversation.draft === text && isSame) return {};
      conversations.saveDraft(conversation.id, text, counting);
      changed(conversation.id);
      return {};
    },
    'conversations.mentionable': ({ id, text }) => {
      const conversation = find(id);
      const people = contacts.profiles(addressesIn(context, conversation));
      const last = timelines.lastSenders(conversation.id, LOOKED_AT_FOR_SENDERS);
      const own = context.identity.get()?.address ?? '';
      return findMentionable(people, text, { last, own }).slice(0, MAX_MENTIONABLE).map(toPerson);
    },
    'conversations.acknowledgeDevices': ({ id }) => {
      conversations.acknowledgeDevices(find(id).id);
      changed(Number(id));
      return {};
    },
  };
}
