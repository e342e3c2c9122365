/**
 * What a relay counts of those who call it: alone, in its memory (http/local-counters.ts); with others that share its
 * database, together (store/postgres/counters.ts).
 */

/** So many calls at once, and so many a second in the long run. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** One kind of bucket, of which each key has one. */
export interface Limit {
  readonly name: string;
  readonly rate: Rate;
  /** Takes one out of a bucket. @returns 0, or the seconds to wait if it is empty. @throws StoreUnavailable */
  tryTake(key: string): number | Promise<number>;
  /** Puts back what was taken for nothing. */
  giveBack(key: string): void;
  /** What is in a bucket, as far as this relay knows. */
  left(key: string): number;
}

/** Tries of which each that was wrong makes the next one wait, twice as long each time. */
export interface Delays {
  /**
   * Counts one try. It is wrong until it is taken back or forgotten.
   * @returns the seconds to wait if it comes too early, and is not counted; and how many wrong ones there were before
   * @throws StoreUnavailable
   */
  take(key: string): Counted | Promise<Counted>;
  /** Takes back the last try, which nobody looked at. */
  giveBack(key: string): void | Promise<void>;
  /** Forgets all tries of a key. */
  forget(key: string): void | Promise<void>;
}

export interface Counted {
  wait: number;
  earlier: number;
}

export interface Counters {
  /**
   * @param name of its own for each kind
   * @param keys whether its keys are network addresses, which no database may show
   */
  limit(name: string, rate: Rate, keys: 'networks' | 'others'): Limit;
  delays(name: string): Delays;
  /** How many relays share the database, this one among them, as far as it knows. */
  readonly replicas: number;
  close(): void;
}

/** The wait after the first wrong try, in milliseconds. It doubles with each. */
export const FIRST_DELAY = 1_000;
export const LONGEST_DELAY = 3_600_000;
/** After this time without a try the wrong ones are forgotten, in milliseconds. */
export const FORGOTTEN_AFTER = 24 * 3_600_000;
/** The part of a rate that is one relay's, if all have as much. It follows how many there are. */
export function rateOfOne(rate: Rate, counters: Pick<Counters, 'replicas'>): Rate {
  return {
    get burst() {
      return rate.burst / counters.replicas;
    },
    get perSecond() {
      return rate.perSecond / counters.replicas;
    },
  };
}
