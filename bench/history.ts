/**
 * A cache of four sizes, the first with chats and no messages, opened by a new process: the start of the engine, the list of
 * chats, a chat at its first unread message, at its end and in its middle, reading, scrolling, the number of statements, and
 * memory. The largest chat has about a seventeenth of all messages.
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
import { type Goal, isSmoke, Report, sizeOf } from './support/report.ts';
import { indexInSlices, storeHistory } from './support/stored-history.ts';

const most = sizeOf(0, 100_000, 1_000);
const seed = sizeOf(1, 1, 1);
const RUNS = isSmoke ? 1 : 5;
/** As in the thread of the engine (src/engine/start.ts), which has three times this. */
const MEMORY = '--max-semi-space-size=16';
const OPENED = fileURLToPath(new URL('./support/opened-cache.ts', import.meta.url));

interface Opened {
  times: Record<string, number>;
  /** Resident, before and after scrolling. */
  startMemory: number;
  memory: number;
  /** Number of statements before scrolling. */
  statements: number;
}

/** Of several new processes. */
function measure(count: number): Opened {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const random = randomFrom(seed);
  const cache = openSearchCache({ ...folder, [Symbol.dispose]: () => undefined }, key);
  const { chats } = storeHistory(cache, count, random, vocabularyOf(random));
  indexInSlices(cache);
  cache.db.close();
  const runs = Array.from(
    { length: RUNS },
    () =>
      JSON.parse(
        execFileSync(process.execPath, [MEMORY, OPENED, folder.path, key.toString('hex'), String(chats[0])], {
          encoding: 'utf8',
        }),
      ) as Opened,
  );
  const names = Object.keys(runs[0]?.times ?? {});
  // The least: other programs only lengthen it. In a small chat the first processes read all messages.
  const times = names.map((name) => [name, Math.min(...runs.flatMap((run) => run.times[name] ?? []))]);
  return {
    times: Object.fromEntries(times),
    startMemory: median(runs.map(({ startMemory }) => startMemory)),
    memory: median(runs.map(({ memory }) => memory)),
    statements: median(runs.map(({ statements }) => statements)),
  };
}

const empty = measure(0);
const report = new Report('A cache with a history, opened by a new process, beside an empty cache');
const GOALS: Record<string, Goal> = {
  'start the engine': { atMost: 1.2 },
  'open the cache': { atMost: 1.2 },
};
for (const count of [most / 100, most / 10, most].map(Math.floor)) {
  const { times, startMemory, memory, statements } = measure(count);
  for (const [name, time] of Object.entries(times)) {
    const base = empty.times[name];
    const goal = GOALS[name] ?? 'less';
    if (base !== undefined)
      report.ratio(`${count} messages: ${name}, of the empty cache`, [time / base], goal);
    report.figure(`${count} messages: ${name}`, 'ms', [time]);
  }
  report.ratio(
    `${count} messages: statements before scrolling, of the empty cache`,
    [statements / empty.statements],
    'less',
  );
  const above = (bytes: number, base: number) => [(bytes - base) / 2 ** 20];
  report.figure(
    `${count} messages: memory above the empty cache, with an open chat`,
    'MiB',
    above(startMemory, empty.startMemory),
    { atMost: 60 },
  );
  report.figure(
    `${count} messages: memory above the empty cache, after scrolling`,
    'MiB',
    above(memory, empty.memory),
    { atMost: 60 },
  );
}
report.finish();
