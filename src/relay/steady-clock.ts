import { uptime } from 'node:os';

/** A monotonic clock, for durations. It is separate from the wall clock, which may be set back or ahead. */
export interface SteadyClock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** Milliseconds since the start of the computer. Unlike {@link now}, it includes the time that the computer was asleep. */
  sinceBoot(): number;
  /**
   * Calls back once, after this many milliseconds. It does not keep the process alive. @returns a function that
   * cancels it
   */
  after(milliseconds: number, call: () => void): () => void;
}

export const steadyClock: SteadyClock = {
  now: () => performance.now(),
  sinceBoot: () => uptime() * 1000,
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
