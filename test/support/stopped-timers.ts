/**
 * Stopped time in this process, until a test advances it. No wait of the program times out meanwhile, so each event
 * has another cause.
 */
import { vi } from 'vitest';

export interface StoppedTimers extends Disposable {
  /** Advances the time by a number of milliseconds at once. */
  pass(milliseconds: number): void;
}

/**
 * Stops the timers that are started from now on, and the monotonic clock. The clock of the day goes on. It begins at zero:
 * times measured before are meaningless, so programs that measure are started afterwards.
 */
export function stopTimers(): StoppedTimers {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return {
    pass: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
