import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askAgainDelay, backoffDelay, Sleeper } from '../../../src/client/backoff.ts';

test('the delay grows with each failure, stays within a minute and is never nothing', () => {
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

test('devices that are not shown are asked for after a minute, then more and more seldom, and every hour at least', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((times) => askAgainDelay(times, 1) / 60_000);
  expect(longest).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(askAgainDelay(1, 0)).toBe(30_000);
});

test('a wake-up ends a wait at once', async () => {
  const sleeper = new Sleeper();
  const wait = sleeper.sleep(60_000);
  sleeper.wake();
  await expect(wait).resolves.toBeUndefined();
});

test('a wake-up that comes between two waits is not lost', async () => {
  const sleeper = new Sleeper();
  sleeper.wake();
  await expect(sleeper.sleep(60_000)).resolves.toBeUndefined();
});
