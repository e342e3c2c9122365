/** Stores a generated history in a cache, as it would arrive. */
import { randomBytes } from 'node:crypto';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../src/protocol/encoding.ts';
import { personAddress, type SearchCache, START } from '../../test/support/search-cache.ts';
import { historyOf } from './history.ts';

/** Messages in one transaction: a page of the inbox. */
export const PAGE = 100;
const CHATS = 300;

interface StoredHistory {
  /** Ids of the conversations. The first has the most messages. */
  chats: number[];
  /** Size of all texts in UTF-8. */
  textBytes: number;
  /** Time of each transaction, in milliseconds. */
  pages: number[];
}

export function storeHistory(
  { context, chatWith }: SearchCache,
  count: number,
  random: () => number,
  vocabulary: readonly string[],
): StoredHistory {
  const chats = Array.from({ length: CHATS }, (_, chat) => chatWith(chat + 1));
  const pages: number[] = [];
  let textBytes = 0;
  let page: (() => void)[] = [];
  const store = () => {
    const begin = performance.now();
    context.transaction(() => {
      for (const each of page) each();
    });
    pages.push(performance.now() - begin);
    page = [];
  };
  let number = 0;
  for (const { chat, author, text, hasFile } of historyOf(count, random, vocabulary)) {
    number += 1;
    textBytes += Buffer.byteLength(text);
    const at = START + number * 1_000;
    const sender = personAddress(author);
    const content = hasFile
      ? { kind: 'attachment', caption: text, files: [{ name: 'IMG_1.jpg', mediaType: 'image/jpeg' }] }
      : { kind: 'text', text };
    const body = { ...content, sender, sentAt: encodeTime(at), seq: number } as unknown as MessageBody;
    page.push(() =>
      context.messages.insert({
        conversationId: chats[chat] ?? 0,
        sender,
        uid: randomBytes(16),
        body,
        sentAt: at,
        storedAt: at,
        state: 'received',
        trust: 'verified',
      }),
    );
    if (page.length === PAGE) store();
  }
  if (page.length > 0) store();
  return { chats, textBytes, pages };
}
