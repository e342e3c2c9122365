/**
 * Time that stands still in this process until a test lets it pass. No wait of the program ends by itself meanwhile, so what
 * happens all the same has another cause.
 */
import { vi } from 'vitest';

export interface StoppedTimers extends Disposable {
  /** Lets so many milliseconds pass at once. */
  pass(milliseconds: number): void;
}

/**
 * Stops the timers that are started from now on, and the monotonic clock. The clock of the day goes on. It begins at zero:
 * what was measured before means nothing, so programs that measure are started afterwards.
 */
export function stopTimers(): StoppedTimers {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return {
    pass: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
