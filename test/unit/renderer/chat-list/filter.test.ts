import { describe, expect, test } from 'vitest';
import type { Conversation, DirectConversation } from '../../../../src/bridge/shapes/conversation.ts';
import { filterConversations, mainConversations, passes } from '../../../../src/renderer/chat-list/filter.ts';

function conversation(
  id: string,
  handle: string,
  at: number,
  part: Partial<DirectConversation> = {},
): DirectConversation {
  const peer = {
    address: `0x${id.repeat(40)}`,
    handle,
    displayName: `The ${handle}`,
    nickname: null,
    handleVerified: false,
    picture: null,
  };
  return {
    kind: 'direct',
    peerHasWritten: true,
    peerHasAccepted: true,
    followsInvite: false,
    id,
    peer,
    state: 'accepted',
    unread: 0,
    unreadMentions: 0,
    firstMentionId: null,
    firstUnreadId: null,
    failed: 0,
    failures: 0,
    draft: '',
    draftMentions: [],
    activeAt: at,
    last: {
      summary: { kind: 'text', fields: {}, text: `Hello from ${handle}` },
      at,
      outgoing: false,
      state: 'received',
      delivery: 'none',
      author: peer,
      bot: null,
    },
    devicesChange: null,
    mutedUntil: null,
    timer: 0,
    markedUnread: false,
    pinned: false,
    archived: false,
    isSelf: false,
    verifiedAt: null,
    setBy: null,
    ...part,
  };
}

/** Row of a conversation in the list. */
const lastWords = ({ last }: Conversation) => (last ? [last.summary.text] : []);

const conversations = [
  conversation('a', 'maya', 1),
  conversation('b', 'jonas', 3),
  conversation('c', 'stranger', 2, { state: 'request' }),
  conversation('d', 'nobody', 0, { last: null }),
];
const found = (text: string, state: Conversation['state'] = 'accepted') =>
  filterConversations(conversations, state, text, lastWords).map(({ id }) => id);

describe('filterConversations', () => {
  test('sorts by the latest message and excludes other states', () => {
    expect(found('')).toEqual(['b', 'a', 'd']);
    expect(found('', 'request')).toEqual(['c']);
  });

  test('puts pinned chats above newer ones, and excludes archived ones from the main list', () => {
    const pinned = conversation('e', 'pinned', 0, { pinned: true });
    const archived = conversation('f', 'archived', 9, { archived: true });
    const all = [...conversations, pinned, archived];
    expect(mainConversations(all, lastWords).map(({ id }) => id)).toEqual(['e', 'b', 'a', 'd']);
    expect(filterConversations(all, 'accepted', 'archived', lastWords)).toEqual([archived]);
  });

  test('the unread filter includes marked chats and the open one', () => {
    const read = conversation('a', 'maya', 1);
    expect(passes(read, 'unread', null)).toBe(false);
    expect(passes(read, 'unread', 'a')).toBe(true);
    expect(passes({ ...read, markedUnread: true }, 'unread', null)).toBe(true);
    expect(passes({ ...read, unread: 1 }, 'unread', null)).toBe(true);
    expect(passes({ ...read, unread: 1 }, 'groups', null)).toBe(false);
  });

  test('puts a new empty chat first', () => {
    const made = conversation('e', 'new', 4, { last: null });
    const [first] = filterConversations([...conversations, made], 'accepted', '', lastWords);
    expect(first?.id).toBe('e');
  });

  test.each(['maya', '@maya', 'THE MAYA', 'hello from may', '0xaaaa'])('finds %s', (text) => {
    expect(found(text)).toEqual(['a']);
  });

  test.each(['zoe', 'lodz', 'STRASSE'])('finds a name without its accents by %s', (text) => {
    const peer = { displayName: 'Zoë Łódź', nickname: 'Große Straße' };
    const accented = conversation('e', 'peer', 1);
    if (accented.kind === 'direct') Object.assign(accented.peer, peer);
    expect(filterConversations([accented], 'accepted', text, lastWords)).toEqual([accented]);
  });

  test('finds nothing without a match', () => {
    expect(found('zzz')).toEqual([]);
  });
});
