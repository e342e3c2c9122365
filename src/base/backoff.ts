/**
 * Exponential back-off with full jitter, so that many clients do not come back at the same moment.
 */

const FIRST = 500;
const LONGEST = 60_000;
const REACH_AGAIN_LONGEST = 5_000;
const ASK_AGAIN_FIRST = 60_000;
const ASK_AGAIN_LONGEST = 60 * 60_000;
/** What a timer can wait: it fires at once if it is asked for more. */
const MOST_TIMER = 2 ** 31 - 1;

/**
 * Milliseconds to wait before an attempt.
 * @param failures how many attempts failed before, from 1
 * @param random between 0 and 1
 */
export function backoffDelay(failures: number, random = Math.random()): number {
  return doubling(FIRST, LONGEST, failures, random);
}

/**
 * Milliseconds until a relay is asked again for devices that it does not show: about a minute, then twice as long each
 * time, up to an hour. It is a signed word that says that there are such devices, and the word may be false.
 * @param times how often it was waited already, with this wait, from 1
 * @param random between 0 and 1
 */
export function askAgainDelay(times: number, random = Math.random()): number {
  return doubling(ASK_AGAIN_FIRST, ASK_AGAIN_LONGEST, times, random);
}

/**
 * Milliseconds until a relay that did not answer is asked again. What keeps it away is most likely this computer's own
 * network, of whose return nobody may tell: so the wait grows to 5 seconds only, and each is another, which spreads the
 * clients of a relay that was away over that time. An attempt costs a relay that is away nothing.
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

/** A relay that answers a held call with nothing new, sooner than this, is asked again only after it, in milliseconds. */
const LEAST_HOLD = 1_000;
/** Polls that may follow each other at once. */
const MOST_POLLS_AT_ONCE = 20;
/** Polls in a second, after that. */
const POLLS_PER_SECOND = 2;
/** A full page is most likely one of a true backlog: it counts as this part of a poll. */
const FULL_PAGE_COST = 0.2;

/**
 * How fast polls may follow each other, whatever the relay answers: it can make up news without end, of strangers that
 * it makes up as well. A true backlog comes in full pages, of which a hundred may follow each other at once.
 */
export class PollPace {
  #left = MOST_POLLS_AT_ONCE;
  readonly #now: () => number;
  #at: number;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** Notes a poll that was answered. Returns how many milliseconds to wait before the next. */
  next({ askedAt, isNews, isFull }: AnsweredPoll): number {
    const now = this.#now();
    const regained = ((now - this.#at) / 1_000) * POLLS_PER_SECOND;
    this.#left = Math.min(MOST_POLLS_AT_ONCE, this.#left + regained) - (isFull ? FULL_PAGE_COST : 1);
    this.#at = now;
    const untilRegained = (-this.#left / POLLS_PER_SECOND) * 1_000;
    return Math.max(0, untilRegained, isNews ? 0 : askedAt + LEAST_HOLD - now);
  }
}

export interface AnsweredPoll {
  /** When the relay was asked, by the clock of the pace: `performance.now()` unless said. */
  askedAt: number;
  /** Whether it brought anything new. */
  isNews: boolean;
  /** Whether it brought as much as was asked for. */
  isFull: boolean;
}

/** Calls back once, after so many milliseconds. @returns a function that cancels it */
export type Later = (milliseconds: number, call: () => void) => () => void;

export const startTimer: Later = (milliseconds, call) => {
  const timer = setTimeout(call, Math.min(milliseconds, MOST_TIMER));
  return () => clearTimeout(timer);
};

/** A wait that can be cut short. A wake-up that comes while nobody waits ends the next wait at once. */
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

  /** Ends the wait that is under way, or the next one. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }
}

/** Waits, or until a signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, MOST_TIMER));
    signal?.addEventListener('abort', end);
  });
}
