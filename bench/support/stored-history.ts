/** Stores a generated history in a cache. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../src/engine/context.ts';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../src/protocol/encoding.ts';
import { personAddress, type SearchCache, START } from '../../test/support/search-cache.ts';
import { AT_ONCE, storingFast } from './fast-store.ts';
import { historyOf, type WrittenMessage } from './history.ts';

/** Messages in one transaction that come from a relay: SLICE in src/engine/receiving/inbox-reader.ts. */
export const SLICE = 64;
const CHATS = 300;
/** Unread messages at the end of a chat, of all. */
const UNREAD_SHARE = 0.02;
/** Number after those of any history: a second for each message. */
const LATER = 20_000_000;

export interface StoredHistory {
  /** Ids of the conversations. The first has the most messages. */
  chats: number[];
  /** Size of all texts in UTF-8. */
  textBytes: number;
  /** Stores more messages at the end, as a slice of the inbox: stored and indexed in one transaction. */
  receive(messages: readonly WrittenMessage[]): void;
}

/**
 * Stores a history in large transactions, without its search index: the rows are those of received messages. Most of it is
 * read. The caller indexes it.
 */
export function storeHistory(
  { context, chatWith, db }: SearchCache,
  count: number,
  random: () => number,
  vocabulary: readonly string[],
): StoredHistory {
  const chats = Array.from({ length: CHATS }, (_, chat) => chatWith(chat + 1));
  let textBytes = 0;
  let number = 0;
  const store = (messages: readonly WrittenMessage[]) => {
    for (const message of messages) {
      number += 1;
      textBytes += Buffer.byteLength(message.text);
      insert(context, chats[message.chat] ?? 0, number, message);
    }
  };
  const inOne = db.transaction(store);
  storingFast(db, () => {
    let page: WrittenMessage[] = [];
    for (const message of historyOf(count, random, vocabulary)) {
      if (page.push(message) < AT_ONCE) continue;
      inOne(page);
      page = [];
    }
    if (page.length > 0) inOne(page);
    db.transaction(() => {
      for (const chat of chats) readMost(context, chat);
    })();
  });
  return {
    chats,
    get textBytes() {
      return textBytes;
    },
    receive: (messages) => context.transaction(() => store(messages)),
  };
}

/**
 * Stores a chat of one person, all of it read, later than a whole history.
 * @returns text of the newest message
 */
export function storeChat(
  { context, db }: SearchCache,
  conversationId: number,
  sender: string,
  messages: readonly WrittenMessage[],
): string {
  db.transaction(() => {
    for (const [index, message] of messages.entries())
      insert(context, conversationId, LATER + index, message, sender);
    context.conversations.markRead(conversationId, context.timelines.lastId(conversationId) ?? 0, 0);
  })();
  return messages.at(-1)?.text ?? '';
}

/** Indexes all changed messages in the slices of the engine. @param run runs each one */
export function indexInSlices({ indexer }: SearchCache, run = (slice: () => void) => slice()): void {
  let hasMore = true;
  while (hasMore)
    run(() => {
      hasMore = indexer.slice();
    });
}

function insert(
  { conversations, links, messages }: Context,
  conversationId: number,
  number: number,
  { author, text, hasFile }: WrittenMessage,
  sender = personAddress(author),
): void {
  const at = START + number * 1_000;
  const content = hasFile
    ? { kind: 'attachment', caption: text, files: [{ name: 'IMG_1.jpg', mediaType: 'image/jpeg' }] }
    : { kind: 'text', text };
  const body = { ...content, sender, sentAt: encodeTime(at), seq: number } as unknown as MessageBody;
  const id = messages.insert({
    conversationId,
    sender,
    uid: randomBytes(16),
    body,
    sentAt: at,
    storedAt: at,
    state: 'received',
    trust: 'verified',
  });
  links.set(id, conversationId, text);
  conversations.messageAdded(conversationId, id, 1, at);
}

/** Marks a chat as read, without its last messages. */
function readMost({ conversations, timelines }: Context, id: number): void {
  const unread = Math.floor((conversations.get(id)?.unread ?? 0) * UNREAD_SHARE);
  const [firstUnread] = timelines.before(id, null, unread);
  const lastRead = firstUnread ? firstUnread.id - 1 : (timelines.lastId(id) ?? 0);
  conversations.markRead(id, lastRead, timelines.countReceivedAfter(id, lastRead));
}
