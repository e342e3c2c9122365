import { expect, test } from 'vitest';
import {
  countedReceivedAt,
  LONGEST_READING,
  QueueEnds,
} from '../../../../src/messaging/trust/received-at.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-22T12:00:00.000Z');

test('a relay that always announces more dates messages back by an hour at most', () => {
  const ends = new QueueEnds();
  const lastEnd = NOW - 30 * 24 * 60 * MINUTE;
  const reported = NOW - 20 * 24 * 60 * MINUTE;
  const countedAt = (now: number) =>
    countedReceivedAt(reported, { previous: null, lastEnd: ends.counted(lastEnd, now), now });
  expect(countedAt(NOW)).toBe(reported);
  expect(countedAt(NOW + LONGEST_READING)).toBe(reported);
  expect(countedAt(NOW + LONGEST_READING + 1)).toBe(NOW - 5 * MINUTE);
});

test('restarts at each end of the queue, and bounds a queue without an end', () => {
  const ends = new QueueEnds();
  expect(ends.counted(null, NOW)).toBeNull();
  expect(ends.counted(null, NOW + LONGEST_READING + 1)).toBe(NOW);
  const end = NOW + LONGEST_READING + MINUTE;
  expect(ends.counted(end, end + MINUTE)).toBe(end);
  expect(ends.counted(end, end + LONGEST_READING)).toBe(end);
});
