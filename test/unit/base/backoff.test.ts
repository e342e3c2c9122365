import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  backoffDelay,
  PollPace,
  reachAgainDelay,
  Sleeper,
  slowRetryDelay,
} from '../../../src/base/backoff.ts';

test('the delay grows with each failure, up to a minute, and is never zero', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, random) => {
        const delay = backoffDelay(failures, random);
        expect(delay).toBeGreaterThanOrEqual(250);
        expect(delay).toBeLessThanOrEqual(60_000);
        expect(backoffDelay(failures + 1, random)).toBeGreaterThanOrEqual(delay);
      },
    ),
  );
});

test('retries an unreachable relay within 5 seconds, spread over time', () => {
  expect([1, 2, 3, 4, 5, 1_000].map((failures) => reachAgainDelay(failures, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 5_000, 5_000,
  ]);
  expect(reachAgainDelay(1_000, 0)).toBe(2_500);
});

test('asks for hidden devices after a minute, then less often, at least every hour', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((times) => slowRetryDelay(times, 1) / 60_000);
  expect(longest).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(slowRetryDelay(1, 0)).toBe(30_000);
});

test('a wake-up ends a wait at once', async () => {
  const sleeper = new Sleeper();
  const wait = sleeper.sleep(60_000);
  sleeper.wake();
  await expect(wait).resolves.toBeUndefined();
});

test('keeps a wake-up between two waits', async () => {
  const sleeper = new Sleeper();
  sleeper.wake();
  await expect(sleeper.sleep(60_000)).resolves.toBeUndefined();
});

/** Number of immediately answered polls in a time, in milliseconds. */
function countPolls(duration: number, poll: { isNews: boolean; isFull: boolean }): number {
  let time = 0;
  const pace = new PollPace(() => time);
  let polls = 0;
  for (; time < duration; polls++) time += Math.ceil(pace.next({ requestedAt: time, ...poll })) + 1;
  return polls;
}

test('limits polls with any result, and drains a real backlog at once', () => {
  const minute = 60_000;
  expect(countPolls(minute, { isNews: false, isFull: false })).toBeLessThanOrEqual(61);
  expect(countPolls(minute, { isNews: false, isFull: true })).toBeLessThanOrEqual(61);
  expect(countPolls(minute, { isNews: true, isFull: false })).toBeLessThanOrEqual(142);
  expect(countPolls(minute, { isNews: true, isFull: true })).toBeLessThanOrEqual(702);
  // Ten thousand envelopes, which is the longest queue, in pages of a hundred.
  let time = 0;
  const pace = new PollPace(() => time);
  const waits = Array.from({ length: 100 }, () =>
    pace.next({ requestedAt: time, isNews: true, isFull: true }),
  );
  expect(Math.max(...waits)).toBeLessThan(1);
  // After a pause all may follow each other again.
  time += minute;
  expect(pace.next({ requestedAt: time, isNews: true, isFull: false })).toBe(0);
});
