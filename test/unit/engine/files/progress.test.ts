import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProgressReports } from '../../../../src/engine/files/progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function collect(): { reports: ProgressReports; reported: number[] } {
  const reported: number[] = [];
  return { reported, reports: new ProgressReports((done) => reported.push(done)) };
}

test('a stalled transfer has reported its last progress', () => {
  const { reports, reported } = collect();
  for (const done of [1, 2, 3]) reports.add(done, 10);
  expect(reported).toEqual([1]);
  vi.advanceTimersByTime(100);
  expect(reported).toEqual([1, 3]);
  vi.advanceTimersByTime(1_000);
  expect(reported).toEqual([1, 3]);
});

test('the end reports the remaining bytes, and is the last report', () => {
  const { reports, reported } = collect();
  for (const done of [1, 9, 10]) reports.add(done, 10);
  reports.end();
  vi.advanceTimersByTime(1_000);
  expect(reported).toEqual([1, 10]);
  expect(vi.getTimerCount()).toBe(0);
});
