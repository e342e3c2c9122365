import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleClock } from '../../../src/host/idle-clock.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function clockOf(minutes: number | null): { onIdle: ReturnType<typeof vi.fn>; clock: IdleClock } {
  const onIdle = vi.fn();
  return { onIdle, clock: new IdleClock(() => minutes, onIdle) };
}

test('C16: locks after the idle time, and later after activity', () => {
  const { onIdle, clock } = clockOf(5);
  vi.advanceTimersByTime(4 * MINUTE);
  clock.active();
  vi.advanceTimersByTime(5 * MINUTE - 5_000);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(onIdle).toHaveBeenCalled();
  clock.close();
});

test('C16: locks after the idle time although the clock was set back', () => {
  const { onIdle, clock } = clockOf(5);
  vi.setSystemTime(Date.now() - 24 * 60 * MINUTE);
  vi.advanceTimersByTime(5 * MINUTE + 5_000);
  expect(onIdle).toHaveBeenCalled();
  clock.close();
});

test('C16: never locks by itself without an idle time', () => {
  const { onIdle, clock } = clockOf(null);
  vi.advanceTimersByTime(24 * 60 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  clock.close();
});
