/** Exponential back-off with full jitter, so that many clients do not retry at the same moment. */

const FIRST = 500;
const LONGEST = 60_000;
const REACH_AGAIN_LONGEST = 5_000;
const SLOW_RETRY_FIRST = 60_000;
const SLOW_RETRY_LONGEST = 60 * 60_000;
/** Longest timer: a longer one fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Milliseconds to wait before an attempt.
 * @param failures number of failed attempts before, from 1
 * @param random between 0 and 1
 */
export function backoffDelay(failures: number, random = Math.random()): number {
  return doubling(FIRST, LONGEST, failures, random);
}

/**
 * Milliseconds until the next request to a relay for devices that it does not show: about a minute, doubled each
 * time, up to an hour. The signed statement about such devices may be false.
 * @param times number of waits including this one, from 1
 * @param random between 0 and 1
 */
export function slowRetryDelay(times: number, random = Math.random()): number {
  return doubling(SLOW_RETRY_FIRST, SLOW_RETRY_LONGEST, times, random);
}

/**
 * Milliseconds until an unreachable relay is asked again. The most likely cause is this computer's own
 * network, whose return may go unnoticed. So the wait grows to 5 seconds only, with jitter that spreads the
 * clients of a relay that was down. An attempt costs such a relay nothing.
 * @param failures as for {@link backoffDelay}
 * @param random between 0 and 1
 */
export function reachAgainDelay(failures: number, random = Math.random()): number {
  return doubling(FIRST, REACH_AGAIN_LONGEST, failures, random);
}

function doubling(first: number, longest: number, times: number, random: number): number {
  const most = Math.min(longest, first * 2 ** Math.min(times - 1, 20));
  return Math.round(most / 2 + (most / 2) * random);
}

/** Shortest poll without news, in milliseconds. After a shorter one the next poll waits for the rest. */
const LEAST_HOLD = 1_000;
/** Polls allowed in immediate succession. */
const MAX_POLLS_AT_ONCE = 20;
/** Polls per second after that. */
const POLLS_PER_SECOND = 2;
/** A full page most likely belongs to a real backlog: it counts as this part of a poll. */
const FULL_PAGE_COST = 0.2;

/**
 * Limits the rate of polls, regardless of the answers: it can invent endless messages of invented strangers. A
 * real backlog has full pages, of which a hundred are allowed at once.
 */
export class PollPace {
  #left = MAX_POLLS_AT_ONCE;
  readonly #now: () => number;
  #at: number;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /**
   * Records an answered poll.
   * @returns milliseconds to wait before the next
   */
  next({ requestedAt, isNews, isFull }: AnsweredPoll): number {
    const now = this.#now();
    const regained = ((now - this.#at) / 1_000) * POLLS_PER_SECOND;
    this.#left = Math.min(MAX_POLLS_AT_ONCE, this.#left + regained) - (isFull ? FULL_PAGE_COST : 1);
    this.#at = now;
    const untilRegained = (-this.#left / POLLS_PER_SECOND) * 1_000;
    return Math.max(0, untilRegained, isNews ? 0 : requestedAt + LEAST_HOLD - now);
  }
}

export interface AnsweredPoll {
  /** Time of the request, by the clock of the pace: `performance.now()` by default. */
  requestedAt: number;
  /** True if it returned anything new. */
  isNews: boolean;
  /** True if it returned a full page. */
  isFull: boolean;
}

/**
 * Schedules one call after some milliseconds.
 * @returns the function that cancels it
 */
export type Later = (milliseconds: number, call: () => void) => () => void;

export const startTimer: Later = (milliseconds, call) => {
  const timer = setTimeout(call, Math.min(milliseconds, MAX_TIMER));
  return () => clearTimeout(timer);
};

/** An interruptible wait. A wake-up without a waiting caller ends the next wait at once. */
export class Sleeper {
  readonly #later: Later;
  #wake: (() => void) | null = null;
  #woken = false;

  constructor(later: Later = startTimer) {
    this.#later = later;
  }

  /** Waits, at most `milliseconds`, or until {@link wake}. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#woken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const cancel = this.#later(milliseconds, resolve);
      await promise;
      cancel();
      this.#wake = null;
    }
    this.#woken = false;
  }

  /** Ends the current wait, or the next one. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }
}

/** Waits for a time, or until a signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, MAX_TIMER));
    signal?.addEventListener('abort', end);
  });
}
