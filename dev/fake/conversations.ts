/**
 * Putting conversations with their messages into a world.
 */

import type { DirectConversation, GroupConversation } from '../../src/bridge/shapes/conversation.ts';
import type { Group, GroupMember } from '../../src/bridge/shapes/group.ts';
import type { Message, PlacedMention, Quote, WrittenMention } from '../../src/bridge/shapes/message.ts';
import type { Person } from '../../src/bridge/shapes/person.ts';
import { toLabel } from '../../src/protocol/label.ts';
import { addressOf, DAY, MINUTE, NOW } from './people.ts';
import type { World } from './world.ts';

/** A line of a conversation: its author and text. Null is the person whose app it is. */
export type Line = [author: Person | null, text: string, part?: Partial<Message>];

const common = {
  state: 'accepted' as const,
  unread: 0,
  unreadMentions: 0,
  firstUnreadId: null,
  firstMentionId: null,
  failed: 0,
  failures: 0,
  draft: '',
  draftMentions: [],
  activeAt: 0,
  markedUnread: false,
  mutedUntil: null,
  pinned: false,
  archived: false,
  timer: 0,
  last: null,
};

/** A conversation with one person. */
export function addDirect(
  world: World,
  peer: Person,
  lines: readonly Line[] = [],
  part: Partial<DirectConversation> = {},
): DirectConversation {
  const conversation: DirectConversation = {
    kind: 'direct',
    id: String(world.conversations.length + 1),
    ...common,
    peer,
    isSelf: false,
    peerHasWritten: true,
    peerHasAccepted: true,
    followsInvite: false,
    devicesChange: null,
    verifiedAt: null,
    setBy: null,
    ...part,
  };
  world.conversations.push(conversation);
  addLines(world, conversation, lines);
  if (!world.people.includes(peer)) world.people.push(peer);
  return conversation;
}

/** A group that the person has made, with these other members. */
export function addGroup(
  world: World,
  name: string,
  others: readonly Person[],
  lines: readonly Line[] = [],
  part: Partial<Omit<GroupConversation, 'group'>> & { group?: Partial<Group> } = {},
): GroupConversation {
  const id = String(world.conversations.length + 1);
  const { group, ...rest } = part;
  const conversation: GroupConversation = {
    kind: 'group',
    id,
    ...common,
    group: {
      groupId: `group-${addressOf(name).slice(2, 14)}`,
      name: toLabel(name),
      picture: null,
      verified: false,
      memberCount: others.length + 1,
      join: 'open',
      isCreator: true,
      joined: true,
      isLoading: false,
      isAdmin: false,
      problem: null,
      canGoOn: false,
      ...group,
    },
    ...rest,
  };
  world.conversations.push(conversation);
  const { isCreator } = conversation.group;
  world.groups.set(id, {
    description: `What ${name} is about.`,
    createdAt: NOW - 90 * DAY,
    members: [
      member(world.me, { isMe: true, isCreator }),
      ...others.map((each, index) => member(each, { isCreator: !isCreator && index === 0 })),
    ],
    invited: isCreator ? [] : null,
    botTokens: isCreator ? [] : null,
    lostBots: isCreator ? [] : null,
    unsignedBots: false,
  });
  addLines(world, conversation, lines);
  return conversation;
}

export function member(who: Person | World['me'], part: Partial<GroupMember> = {}): GroupMember {
  const { address, handle, displayName, picture } = who;
  const nickname = 'nickname' in who ? who.nickname : null;
  return {
    person: { address, handle, displayName, nickname, handleVerified: false, picture },
    isCreator: false,
    isMe: false,
    isAdmin: false,
    devices: 1,
    problem: null,
    ...part,
  };
}

/** A message of a conversation. */
export function message(
  world: World,
  conversationId: string,
  [author, text, part]: Line,
  place: number,
  at: number,
): Message {
  const { address, handle, displayName, picture } = world.me;
  const by = author ?? { address, handle, displayName, nickname: null, handleVerified: false, picture };
  return {
    id: String(Number(conversationId) * 100_000 + place),
    conversationId,
    sender: by.address,
    author: by,
    kind: 'text',
    event: null,
    fields: {},
    text,
    files: [],
    sentAt: at,
    storedAt: at,
    at,
    state: author ? 'received' : 'sent',
    delivery: 'none',
    trust: author ? 'verified' : 'self',
    bot: null,
    roster: null,
    problem: null,
    replyTo: null,
    mentions: [],
    reactions: [],
    moreReactions: 0,
    editedAt: null,
    deletedBy: null,
    preview: null,
    disappears: null,
    forwarded: false,
    pinned: false,
    can: { refer: true, edit: author === null, deleteForEveryone: author === null, pin: true },
    ...part,
  };
}

/** People by their addresses, as mentions show them. */
export function placedIn(world: World, mentions: readonly WrittenMention[] = []): PlacedMention[] {
  const known = [member(world.me).person, ...world.people];
  return mentions.map(({ from, to, address }) => ({
    from,
    to,
    person: known.find((each) => each.address === address) ?? {
      address,
      handle: null,
      displayName: null,
      nickname: null,
      handleVerified: false,
      picture: null,
    },
  }));
}

/** The lines are two minutes apart, and the last is as old as the conversation is far down in the list. */
function addLines(
  world: World,
  conversation: DirectConversation | GroupConversation,
  lines: readonly Line[],
): void {
  const end = NOW - Number(conversation.id) * 7 * MINUTE;
  const all = lines.map((line, index) =>
    message(world, conversation.id, line, index + 1, end - (lines.length - index) * 2 * MINUTE),
  );
  world.messages.set(conversation.id, all);
  followMessages(conversation, all);
  const firstUnread = conversation.unread > 0 ? all.at(-conversation.unread) : undefined;
  conversation.firstUnreadId = firstUnread?.id ?? null;
  const mention = all.slice(all.length - conversation.unread).find((each) => mentionsMe(world, each));
  conversation.firstMentionId = (conversation.unreadMentions > 0 && mention?.id) || null;
}

/** Reports whether a message mentions the person whose app it is. */
export function mentionsMe({ me }: World, { mentions }: Message): boolean {
  return mentions.some(({ person }) => person.address === me.address);
}

/** The quote of a reply. */
export function quoteOf({ id, kind, fields, text, author, bot }: Message): Quote {
  if (kind === 'deleted') return { is: 'deleted', id, author, bot: null, summary: null };
  return { is: 'here', id, author, bot: bot?.name ?? null, summary: { kind, fields, text } };
}

/** Sets all fields of a conversation that follow from its messages. */
export function followMessages(
  conversation: DirectConversation | GroupConversation,
  messages: readonly Message[],
): void {
  conversation.last = lastOf(messages);
  conversation.activeAt = conversation.last?.at ?? conversation.activeAt;
  conversation.failed = messages.filter(({ state }) => state === 'failed').length;
}

/** The summary of the newest message in the list. */
function lastOf(messages: readonly Message[]): DirectConversation['last'] {
  const last = messages.findLast(({ kind }) => kind !== 'event');
  if (!last) return null;
  const { kind, fields, text, storedAt, state, delivery, author } = last;
  const bot = last.bot?.name ?? null;
  return {
    summary: { kind, fields, text },
    at: storedAt,
    outgoing: state !== 'received',
    state,
    delivery,
    author,
    bot,
  };
}
