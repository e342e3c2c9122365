/**
 * Search in a generated history of three sizes: indexing in slices, storing, the size of the index beside the text, and the time
 * of each key of words that are typed, beside a search without an index (LIKE over all messages).
 *
 *   node bench/search.ts [messages] [seed]
 */
import { randomFrom } from '../dev/random.ts';
import { openSearchCache } from '../test/support/search-cache.ts';
import { historyOf, vocabularyOf } from './support/history.ts';
import { percentile } from './support/process.ts';
import { isSmoke, Report, sizeOf } from './support/report.ts';
import { indexInSlices, SLICE, storeHistory } from './support/stored-history.ts';

const most = sizeOf(0, 100_000, 2_000);
const seed = sizeOf(1, 1, 1);
const TYPED = isSmoke ? 5 : 60;
const RECEIVED_SLICES = isSmoke ? 2 : 45;
const report = new Report(
  'Search in a history, as one types, beside a search without an index (LIKE over all messages)',
);

interface Work {
  /** Processor time of this thread, in seconds. */
  processor: number;
  milliseconds: number;
}

function timed(work: () => void): Work {
  const [begin, before] = [performance.now(), process.threadCpuUsage()];
  work();
  const { user, system } = process.threadCpuUsage(before);
  return { processor: (user + system) / 1e6, milliseconds: performance.now() - begin };
}

function measure(count: number): void {
  const random = randomFrom(seed);
  const vocabulary = vocabularyOf(random);
  using cache = openSearchCache();
  const { db, search } = cache;
  const { receive, textBytes } = storeHistory(cache, count, random, vocabulary);
  const slices: Work[] = [];
  indexInSlices(cache, (work) => slices.push(timed(work)));
  const indexing = slices.reduce((sum, { processor }) => sum + processor, 0);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const indexBytes = db
    .prepare<[], { part: number }>('SELECT part FROM search_parts')
    .all()
    .map(
      ({ part }) =>
        db.prepare<[], { bytes: number }>(`SELECT sum(length(block)) AS bytes FROM search_${part}_data`).get()
          ?.bytes ?? 0,
    )
    .reduce((sum, each) => sum + each, 0);
  const keys: number[] = [];
  for (let word = 0; word < TYPED; word++) {
    // Common and rare words, and some that are in no message.
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
  // As the inbox does: the log is moved before each slice, in a turn of its own.
  const received = Array.from({ length: RECEIVED_SLICES }, () => {
    const messages = [...historyOf(SLICE, random, vocabulary)];
    return { moving: timed(() => cache.context.moveLog()), storing: timed(() => receive(messages)) };
  });
  const perKey = percentile(keys, 0.95);
  const milliseconds = (works: readonly Work[]) => works.map((work) => work.milliseconds);
  const longest = (works: readonly Work[]) => [Math.max(...works.map(({ processor }) => processor * 1_000))];
  const name = `${count} messages`;
  report.ratio(
    `${name}: 95th percentile of a key, of a search without an index`,
    [perKey / percentile(scans, 0.5)],
    'less',
  );
  report.ratio(`${name}: index, of the text`, [indexBytes / textBytes], { atMost: 1.5 });
  report.figure(`${name}: 95th percentile of a key`, 'ms', [perKey], { atMost: 50 });
  report.figure(`${name}: indexed`, 'a second of processor time', [count / indexing], { atLeast: 5_000 });
  report.figure(`${name}: median slice`, 'ms', [percentile(milliseconds(slices), 0.5)], { atMost: 15 });
  report.figure(`${name}: 99th percentile of slices`, 'ms', [percentile(milliseconds(slices), 0.99)]);
  report.figure(`${name}: longest slice`, 'ms of processor time', longest(slices), { atMost: 15 });
  report.figure(
    `${name}: then stored and indexed, in transactions of ${SLICE}`,
    'a second of processor time',
    received.map(({ moving, storing }) => SLICE / (moving.processor + storing.processor)),
  );
  report.figure(
    `${name}: longest of these`,
    'ms of processor time',
    longest(received.map(({ storing }) => storing)),
    { atMost: 15 },
  );
  report.figure(
    `${name}: longest moving of the log between them`,
    'ms of processor time',
    longest(received.map(({ moving }) => moving)),
    { atMost: 15 },
  );
}

for (const count of [most / 100, most / 10, most])
  measure(Math.max(isSmoke ? 100 : 1_000, Math.floor(count)));
report.finish();
