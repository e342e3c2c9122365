import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WAIT_LIMIT } from '../../support/limits.ts';
import { type Kind, placesIn } from './elapsed-time.ts';

/** Permitted files, each with its reason. A file that no longer needs it must be removed here. */
const EXCEPTIONS: Record<string, { kinds: Kind[]; because: string }> = {
  'test/support/chaos/watchers.ts': {
    kinds: ['measures', 'sleeps'],
    because:
      'The relay promises that a revoked credential ends within a time, also where a hint is lost between processes.',
  },
  'test/support/chaos/ledger.ts': {
    kinds: ['measures'],
    because: 'Puts what processes did in order, and reports for how long a revoked credential worked.',
  },
  'test/support/chaos/load.ts': {
    kinds: ['measures', 'sleeps'],
    because: 'Puts what processes did in order, and spreads what people write.',
  },
  'test/support/chaos/relay-chaos.ts': {
    kinds: ['measures', 'sleeps'],
    because: 'Spreads the faults over the minutes that the caller asks for, and reports how many there were.',
  },
  'test/support/chaos/replicas.ts': {
    kinds: ['sleeps'],
    because: 'Starts a relay again, and calls another one, while the database is away.',
  },
  'test/support/engine.ts': {
    kinds: ['sleeps'],
    because: '`eventually` looks again until an answer fits: the one loop that tests share.',
  },
  'test/support/command-process.ts': {
    kinds: ['sleeps'],
    because: 'Looks again until nothing of a command keeps its process alive. No event says that.',
  },
  'test/support/held-reading-thread.ts': {
    kinds: ['sleeps'],
    because: 'Looks again until a file is there, in a thread that must not read anything else.',
  },
  'test/e2e/support/accessible.ts': {
    kinds: ['sleeps'],
    because: 'Looks again until nothing moves: what is loaded later announces no animation.',
  },
  'test/integration/browser-host/http.test.ts': {
    kinds: ['sleeps'],
    because: 'A client that sends a byte now and then, until the host ends its connection.',
  },
  'test/integration/host/waiting-messages.slow.test.ts': {
    kinds: ['sleeps'],
    because: 'Asks again until a cut call has failed, which the program reports nowhere.',
  },
  'test/integration/relay/roster-crash.slow.test.ts': {
    kinds: ['sleeps'],
    because: 'Kills a process at a moment that nothing it does decides.',
  },
  'test/support/fuzz/main.ts': {
    kinds: ['measures'],
    because: 'Prints how fast it is. Nothing passes or fails by it.',
  },
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = globSync('test/**/*.{ts,tsx}', { cwd: root }).map((name) => name.replaceAll('\\', '/'));
const found = files.flatMap((name) =>
  placesIn(name, readFileSync(root + name, 'utf8'), WAIT_LIMIT).map((place) => ({ name, ...place })),
);

test('no test passes or fails by elapsed time, or waits for a time', () => {
  const wrong = found.filter(({ name, kind }) => !EXCEPTIONS[name]?.kinds.includes(kind));
  expect(wrong.map(({ name, line, kind, text }) => `${name}:${line} ${kind}: ${text}`)).toEqual([]);
});

test('every exception occurs', () => {
  const listed = Object.entries(EXCEPTIONS).flatMap(([name, { kinds }]) =>
    kinds.map((kind) => `${name} ${kind}`),
  );
  const occurs = new Set(found.map(({ name, kind }) => `${name} ${kind}`));
  expect(listed.filter((each) => !occurs.has(each))).toEqual([]);
});

describe('findings in a source', () => {
  const kindsIn = (source: string) => [...new Set(placesIn('x.ts', source, 1_000).map(({ kind }) => kind))];

  test.each([
    ['const began = performance.now();'],
    ['const took = globalThis.performance.now() - began;'],
    ['const clock = performance.now;'],
    ['const { now } = performance;'],
    ["import { performance as p } from 'node:perf_hooks';"],
    ["import { hrtime } from 'node:process';"],
    ['const { hrtime } = process;'],
    ["const time = performance['now']();"],
    ['process.hrtime.bigint();'],
    ['const { user } = process.cpuUsage();'],
    ['process.threadCpuUsage(began);'],
    ['if (process.uptime() > 5) throw new Error();'],
  ])('a clock that measures is read: %s', (source) => {
    expect(kindsIn(source)).toEqual(['measures']);
  });

  test.each([
    ['expect(Date.now() - began).toBeLessThan(5);'],
    ['expect(Math.abs(at - Date.now())).toBeLessThan(5);'],
    ['const took = Date.now() - began; expect(took).toBeLessThan(5);'],
    ['const began = Date.now(); f(); const end = Date.now(); expect(end - began).toBeLessThan(5);'],
    ['const a = Date.now(); const b = Date.now(); const took = b - a; expect(took / 2).toBeLessThan(5);'],
    ['const took = () => Date.now() - began; expect(took()).toBeLessThan(5);'],
    ['let took = 0; took = Date.now() - began; if (took > 5) throw new Error();'],
    ['while (Date.now() - began < 500) await pause();'],
    ['if (new Date().getTime() - began.getTime() > 5) fail();'],
    ['expect(+new Date() - began).toBeGreaterThan(5);'],
    ['await expect.poll(() => Date.now() - began).toBeGreaterThan(5);'],
    ['expect(5).toBeGreaterThan(Date.now() - began);'],
    ['waits.push(retryAt - Date.now()); expect(Math.max(...waits)).toBeLessThan(5);'],
    ['waits.set(key, retryAt - Date.now()); expect(waits.get(key)).toBeLessThan(5);'],
    ['const left = async () => { return { ms: until - Date.now() }; }; await expect.poll(left).toBe(5);'],
    ['function left() { if (none) return null; return until - Date.now(); } expect(left()).toBeLessThan(5);'],
    ['expect(until - (await page.evaluate(() => Date.now()))).toBe(5);'],
  ])('what the clock of the day measures is compared: %s', (source) => {
    expect(kindsIn(source)).toEqual(['compares']);
  });

  test.each([
    ['await vi.waitFor(f, { timeout: 500 });'],
    ['await vi.waitUntil(f, { timeout: 500, interval: 5 });'],
    ['await expect.poll(f, { timeout: 500 }).toBe(1);'],
    ['await expect(async () => {}).toPass({ timeout: 500 });'],
    ["await expect(page.locator('a')).toBeVisible({ timeout: 500 });"],
    ["test('a name', { timeout: 500 }, f);"],
    ["test.each([1])('a name', { timeout: 500 }, f);"],
    ["test.each([1])('a name', f, 500);"],
    ['test.setTimeout(500);'],
    ['beforeAll(f, 500);'],
  ])('a wait has a limit of its own: %s', (source) => {
    expect(kindsIn(source)).toEqual(['own limit']);
  });

  test.each([
    ['await new Promise((resolve) => setTimeout(resolve, 500));'],
    ['setTimeout(() => child.kill(), 20 * Math.random());'],
    ['await new Promise((resolve) => globalThis.setTimeout(resolve, wait));'],
    ["import { setTimeout } from 'node:timers/promises'; await setTimeout(500);"],
    ["import { setTimeout as sleep } from 'timers/promises'; await sleep(500);"],
    ['const { setTimeout: later } = globalThis; later(resolve, PAUSE);'],
    ['const later = setTimeout; later(resolve, 500);'],
    ['setInterval(look, 200);'],
    ['await page.waitForTimeout(300);'],
  ])('a wait for a time: %s', (source) => {
    expect(kindsIn(source)).toEqual(['sleeps']);
  });

  test.each([
    ['await new Promise((resolve) => setTimeout(resolve));'],
    ['setTimeout(resolve, 0);'],
    ["import { setImmediate } from 'node:timers/promises'; await setImmediate();"],
    ["vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });"],
    ['socket.setTimeout(500);'],
    ['const before = Date.now(); f(); expect(at).toBeGreaterThanOrEqual(before);'],
    ['expect(at).toBeLessThanOrEqual(Date.now());'],
    ['const expires = Date.now() + 500;'],
    ['waits.push(retryAt - Date.now()); expect(waits.length).toBe(5);'],
    ['const old = Date.now() - 5 * MINUTE; expect(list(old)).toEqual([]);'],
    ['expect(at).toBeGreaterThan(before - MINUTE);'],
    ['await expect.poll(f, { timeout: 5_000 }).toBe(1);'],
    ["test('a name', f, 5_000);"],
    ['await expect(async () => expect(locator).toBeVisible({ timeout: 500 })).toPass();'],
    ['new Database(path, { timeout: 500 });'],
    ["// performance.now() - began\nconst text = 'performance.now()';"],
    ['stopped.now() < 5;'],
  ])('nothing: %s', (source) => {
    expect(kindsIn(source)).toEqual([]);
  });
});
