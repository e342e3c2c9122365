/**
 * Search in a generated history of three sizes: storing with and without the index, its size beside the text, and the time
 * of each key of words that are typed, beside a search without an index (LIKE over all messages).
 * Targets: p95 of a key 50 ms; index 1.5 times the text; 5,000 messages a second.
 *
 *   node bench/search.ts [messages] [seed]
 */
import { randomBytes } from 'node:crypto';
import type { MessageBody } from '../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../src/protocol/encoding.ts';
import { openSearchCache, personAddress, START } from '../test/support/search-cache.ts';
import { historyOf, randomFrom, vocabularyOf } from './support/history.ts';

const most = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);
/** Messages in one transaction: a page of the inbox. */
const PAGE = 100;
const TYPED = 60;

function percentile(values: number[], part: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
    Number.NaN
  );
}

function measure(count: number): void {
  const random = randomFrom(seed);
  const vocabulary = vocabularyOf(random);
  using cache = openSearchCache();
  const { context, db, search } = cache;
  const chats = Array.from({ length: 300 }, (_, chat) => cache.chatWith(chat + 1));
  let textBytes = 0;
  const pages: number[] = [];
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
    const files = hasFile
      ? { kind: 'attachment', caption: text, files: [{ name: 'IMG_1.jpg', mediaType: 'image/jpeg' }] }
      : { kind: 'text', text };
    const body = { ...files, sender, sentAt: encodeTime(at), seq: number } as unknown as MessageBody;
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
  const seconds = pages.reduce((sum, each) => sum + each, 0) / 1000;
  db.pragma('wal_checkpoint(TRUNCATE)');
  const sizes = db
    .prepare<[], { part: number }>('SELECT part FROM search_parts')
    .all()
    .map(
      ({ part }) =>
        db.prepare<[], { bytes: number }>(`SELECT sum(length(block)) AS bytes FROM search_${part}_data`).get()
          ?.bytes ?? 0,
    );
  const indexBytes = sizes.reduce((sum, each) => sum + each, 0);

  const keys: number[] = [];
  for (let word = 0; word < TYPED; word++) {
    // Common and rare words, and some that nobody wrote.
    const rank = Math.floor(vocabulary.length * random() ** (1 + (word % 3)));
    const text = `${vocabulary[rank] ?? ''}${word % 7 === 0 ? 'qz' : ''}`;
    for (let length = 1; length <= text.length; length++) {
      const begin = performance.now();
      search['search.messages']({ text: text.slice(0, length), limit: 30 });
      keys.push(performance.now() - begin);
    }
  }
  const like = db.prepare('SELECT id FROM messages WHERE body LIKE ? ORDER BY id DESC LIMIT 30');
  const scans = Array.from({ length: 3 }, (_, scan) => {
    const begin = performance.now();
    like.all(`%${vocabulary[vocabulary.length - 1 - scan]}qz%`);
    return performance.now() - begin;
  });
  const perKey = percentile(keys, 0.95);
  console.log(
    [
      `${count} messages`,
      `${Math.round(count / seconds)} stored and indexed a second, longest page of ${PAGE}: ${Math.max(...pages).toFixed(0)} ms`,
      `index ${(indexBytes / textBytes).toFixed(2)} of the text`,
      `a key: median ${percentile(keys, 0.5).toFixed(1)} ms, p95 ${perKey.toFixed(1)} ms, longest ${Math.max(...keys).toFixed(1)} ms`,
      `p95 is ${(perKey / percentile(scans, 0.5)).toFixed(3)} of a scan of all messages`,
    ].join('\n  '),
  );
}

for (const count of [most / 100, most / 10, most]) measure(Math.max(1_000, Math.floor(count)));
