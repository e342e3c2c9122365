/**
 * A clock that nobody sets, for what is held for so long. It is apart from that of the day, which may be put back or ahead.
 */
export interface SteadyClock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls back once, after so many milliseconds. It keeps no process alive. @returns a function that cancels it */
  after(milliseconds: number, call: () => void): () => void;
}

export const steadyClock: SteadyClock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
