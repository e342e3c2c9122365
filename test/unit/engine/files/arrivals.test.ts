/** Readers of downloads: bounded in number, each film apart from the others. */
import { expect, test } from 'vitest';
import { Arrivals } from '../../../../src/engine/files/arrivals.ts';

const outcome = (reading: Promise<void>) =>
  reading.then(
    () => 'read',
    (error: { code?: string }) => error.code,
  );

test('C11: many readers of one film do not end the reader of another', async () => {
  const arrivals = new Arrivals();
  arrivals.readersOf(1).restart();
  const other = arrivals.readersOf(2);
  other.restart();
  const waiting = outcome(arrivals.until(2, 5));
  const many = Array.from({ length: 1_000 }, (_, chunk) => outcome(arrivals.until(1, chunk)));
  expect(other.wanted()).toBe(5);
  other.add(5);
  expect(await waiting).toBe('read');
  // The newest stay; the others have ended.
  arrivals.end(1, null);
  const ends = await Promise.all(many);
  expect(ends.filter((end) => end === 'file_missing').length).toBeGreaterThan(980);
  expect(ends.at(-1)).toBe('read');
});

test('C11: the readers of many films are bounded together', async () => {
  const arrivals = new Arrivals();
  const many = Array.from({ length: 1_000 }, (_, id) => outcome(arrivals.until(id, 0)));
  for (let id = 0; id < 1_000; id++) arrivals.end(id, null);
  const ends = await Promise.all(many);
  expect(ends.filter((end) => end === 'read').length).toBeLessThanOrEqual(64);
  expect(ends.at(-1)).toBe('read');
});
