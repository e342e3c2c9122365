/**
 * Search in a generated history of three sizes: storing with and without the index, its size beside the text, and the time
 * of each key of words that are typed, beside a search without an index (LIKE over all messages).
 * Targets: p95 of a key 50 ms; index 1.5 times the text; 5,000 messages a second.
 *
 *   node bench/search.ts [messages] [seed]
 */
import { randomFrom } from '../dev/random.ts';
import { openSearchCache } from '../test/support/search-cache.ts';
import { vocabularyOf } from './support/history.ts';
import { percentile } from './support/process.ts';
import { PAGE, storeHistory } from './support/stored-history.ts';

const most = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);
const TYPED = 60;

function measure(count: number): void {
  const random = randomFrom(seed);
  const vocabulary = vocabularyOf(random);
  using cache = openSearchCache();
  const { db, search } = cache;
  const { textBytes, pages } = storeHistory(cache, count, random, vocabulary);
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
