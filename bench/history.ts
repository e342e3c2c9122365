/**
 * A cache of four sizes, the first empty, opened by a new process: the start, the list of chats, a chat at its end and in its
 * middle, scrolling, and memory. The largest chat has about a seventeenth of all messages.
 * Targets: the start at most 1.2 times that of an empty cache, memory at most 60 MB more.
 *
 *   node bench/history.ts [messages] [seed]
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { randomFrom } from '../dev/random.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { openSearchCache } from '../test/support/search-cache.ts';
import { vocabularyOf } from './support/history.ts';
import { median } from './support/process.ts';
import { storeHistory } from './support/stored-history.ts';

const most = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);
const RUNS = 5;
const OPENED = fileURLToPath(new URL('./support/opened-cache.ts', import.meta.url));

interface Opened {
  times: Record<string, number>;
  memory: number;
}

/** @returns the median of several new processes */
function measure(count: number): Opened {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const random = randomFrom(seed);
  const cache = openSearchCache({ ...folder, [Symbol.dispose]: () => undefined }, key);
  const { chats } = storeHistory(cache, count, random, vocabularyOf(random));
  cache.db.close();
  const runs = Array.from(
    { length: RUNS },
    () =>
      JSON.parse(
        execFileSync(process.execPath, [OPENED, folder.path, key.toString('hex'), String(chats[0])], {
          encoding: 'utf8',
        }),
      ) as Opened,
  );
  const names = Object.keys(runs[0]?.times ?? {});
  const times = names.map((name) => [name, median(runs.map((run) => run.times[name] ?? Number.NaN))]);
  return { times: Object.fromEntries(times), memory: median(runs.map(({ memory }) => memory)) };
}

const empty = measure(0);
for (const count of [most / 100, most / 10, most].map(Math.floor)) {
  const { times, memory } = measure(count);
  console.log(`${count} messages`);
  for (const [name, time] of Object.entries(times)) {
    const ratio =
      name in empty.times ? `, ${(time / (empty.times[name] ?? 1)).toFixed(2)} of an empty cache` : '';
    console.log(`  ${name}: ${time.toFixed(1)} ms${ratio}`);
  }
  console.log(
    `  memory: ${((memory - empty.memory) / 2 ** 20).toFixed(0)} MiB more than with an empty cache`,
  );
}
