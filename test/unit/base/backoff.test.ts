import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffDelay, Sleeper } from '../../../src/base/backoff.ts';

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
