import type { Message } from '../../../../src/bridge/shapes/message.ts';

const noon = new Date(2026, 4, 4, 12).getTime();

/** A received message; number `n` came `n` minutes after noon. */
export function received(n: number, part: Partial<Message> = {}): Message {
  const at = noon + n * 60_000;
  return {
    id: `m${n}`,
    conversationId: 'c1',
    sender: `0x${'a'.repeat(40)}`,
    author: {
      address: `0x${'a'.repeat(40)}`,
      handle: 'ann',
      displayName: null,
      nickname: null,
      handleVerified: false,
      picture: null,
    },
    kind: 'text',
    event: null,
    fields: {},
    text: `message ${n}`,
    files: [],
    sentAt: at,
    storedAt: at,
    at,
    state: 'received',
    delivery: 'none',
    trust: 'verified',
    bot: null,
    roster: null,
    problem: null,
    replyTo: null,
    mentions: [],
    reactions: [],
    moreReactions: 0,
    editedAt: null,
    deletedBy: null,
    forwarded: false,
    pinned: false,
    preview: null,
    disappears: null,
    can: { refer: true, edit: false, deleteForEveryone: false, pin: true },
    ...part,
  };
}

/** An own message. */
export function own(n: number, part: Partial<Message> = {}): Message {
  return received(n, { sender: `0x${'b'.repeat(40)}`, trust: 'self', state: 'sent', ...part });
}
