import { describe, expect, test } from 'vitest';
import type { Conversation, DirectConversation } from '../../../../src/bridge/shapes.ts';
import { filterConversations } from '../../../../src/renderer/conversations/filter.ts';

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
  };
  return {
    kind: 'direct',
    peerHasWritten: true,
    id,
    peer,
    state: 'accepted',
    unread: 0,
    unreadMentions: 0,
    firstUnreadId: null,
    draft: '',
    activeAt: at,
    last: {
      gist: { kind: 'text', fields: {}, text: `Hello from ${handle}` },
      at,
      outgoing: false,
      state: 'received',
      delivery: 'none',
      author: peer,
      bot: null,
    },
    devicesChange: null,
    mutedUntil: null,
    markedUnread: false,
    pinned: false,
    archived: false,
    isSelf: false,
    verifiedAt: null,
    ...part,
  };
}

const conversations = [
  conversation('a', 'maya', 1),
  conversation('b', 'jonas', 3),
  conversation('c', 'stranger', 2, { state: 'request' }),
  conversation('d', 'nobody', 0, { last: null }),
];
const found = (text: string, state: Conversation['state'] = 'accepted') =>
  filterConversations(conversations, state, text, (gist) => gist.text).map(({ id }) => id);

describe('filterConversations', () => {
  test('sorts by the newest message and leaves other states out', () => {
    expect(found('')).toEqual(['b', 'a', 'd']);
    expect(found('', 'request')).toEqual(['c']);
  });

  test('a chat that was just made, in which nobody has written, stands on top', () => {
    const made = conversation('e', 'new', 4, { last: null });
    const [first] = filterConversations([...conversations, made], 'accepted', '', (gist) => gist.text);
    expect(first?.id).toBe('e');
  });

  test.each(['maya', '@maya', 'THE MAYA', 'hello from may', '0xaaaa'])('finds %s', (text) => {
    expect(found(text)).toEqual(['a']);
  });

  test('finds nothing where nothing matches', () => {
    expect(found('zzz')).toEqual([]);
  });
});
