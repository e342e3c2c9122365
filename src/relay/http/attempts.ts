/**
 * Guesses at a password: bounded for each group, and slowed down for each group and network address.
 *
 * A guess counts before it is checked, so that many at once are not checked for one; a right one is taken back.
 */
import { ProblemError } from '../../protocol/problems.ts';
import { RecentMap } from '../../protocol/recent-map.ts';

/** Wrong guesses at one password, from anywhere, in a window. */
const MOST_FOR_TARGET = 50;
const WINDOW = 3_600_000;
/** The wait after the first wrong guess from one place, in milliseconds. It doubles with each. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = WINDOW;
/** Places, and targets, that are remembered. */
const MOST_REMEMBERED = 50_000;

interface Place {
  failures: number;
  /** When the next guess may come, in milliseconds of a monotonic clock. */
  next: number;
}

interface Target {
  failures: number;
  since: number;
}

export class Attempts {
  readonly #now: () => number;
  readonly #places = new RecentMap<string, Place>(MOST_REMEMBERED);
  readonly #targets = new RecentMap<string, Target>(MOST_REMEMBERED);

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts a guess.
   * @returns takes the guess back, because it was right
   * @throws ProblemError rate_limited if it comes too early
   */
  begin(target: string, place: string): () => void {
    const now = this.#now();
    const atTarget = this.#target(target, now);
    const key = `${target} ${place}`;
    const atPlace = this.#places.get(key) ?? { failures: 0, next: 0 };
    const targetFree = atTarget.failures < MOST_FOR_TARGET ? now : atTarget.since + WINDOW;
    const wait = Math.max(targetFree, atPlace.next) - now;
    if (wait > 0) {
      throw new ProblemError('rate_limited', 'Too many wrong passwords. Wait before the next try.', {
        retryAfter: Math.ceil(wait / 1000),
      });
    }
    atTarget.failures++;
    const delay = Math.min(FIRST_DELAY * 2 ** atPlace.failures, LONGEST_DELAY);
    this.#places.set(key, { failures: atPlace.failures + 1, next: now + delay });
    return () => {
      atTarget.failures--;
      this.#places.delete(key);
    };
  }

  #target(target: string, now: number): Target {
    const known = this.#targets.get(target);
    if (known && now - known.since < WINDOW) return known;
    const fresh = { failures: 0, since: now };
    this.#targets.set(target, fresh);
    return fresh;
  }
}
