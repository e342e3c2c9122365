import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClockWatch } from '../../../src/base/clock-watch.ts';

let wall = 0;
let running = 0;
let jumps = 0;
const watch = new ClockWatch(
  () => {
    jumps++;
  },
  { wall: () => wall, running: () => running },
);

/** Two seconds pass, in which the wall clock also jumps by some time. */
function pass(jump = 0): void {
  wall += 2_000 + jump;
  running += 2_000;
  vi.advanceTimersByTime(2_000);
}

beforeEach(() => {
  vi.useFakeTimers();
  jumps = 0;
  watch.start();
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test('ignores equal clocks and small corrections', () => {
  for (const drift of [0, 0, 900, -900, 4_999]) pass(drift);
  expect(jumps).toBe(0);
});

test.each([
  ['a sleep of an hour', 3_600_000],
  ['a clock put back by a day', -86_400_000],
  ['a short sleep', 6_000],
])('%s is noticed once', (_, jump) => {
  pass();
  pass(jump);
  pass();
  expect(jumps).toBe(1);
});

test('notices nothing after it was stopped', () => {
  watch.stop();
  pass(3_600_000);
  expect(jumps).toBe(0);
});

test('notices a sleep with running clocks by the late check', () => {
  pass();
  wall += 3_600_000;
  running += 3_600_000;
  pass();
  pass();
  expect(jumps).toBe(1);
});
