/**
 * Counters of calls: in the memory of a single relay (http/local-counters.ts), or shared by the relays on one
 * database (store/postgres/counters.ts).
 */

/** A burst of calls, and a number per second in the long run. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** One kind of bucket, with one bucket for each key. */
export interface Limit {
  readonly name: string;
  readonly rate: Rate;
  /** Uses one call of a bucket. @returns 0, or the seconds to wait if it is empty. @throws StoreUnavailable */
  tryConsume(key: string): number | Promise<number>;
  /** Returns an unused call to its bucket. */
  giveBack(key: string): void;
  /** The level of a bucket, as far as this relay knows. */
  left(key: string): number;
}

/** Delays after wrong tries: each one doubles the wait for the next. */
export interface Delays {
  /**
   * Counts one try. It counts as wrong until it is withdrawn or forgotten.
   * @returns the seconds to wait if it is too early, and is not counted; and the number of earlier wrong ones
   * @throws StoreUnavailable
   */
  count(key: string): Counted | Promise<Counted>;
  /** Withdraws the last try, which was never checked. */
  giveBack(key: string): void | Promise<void>;
  /** Deletes all tries of a key. */
  forget(key: string): void | Promise<void>;
}

export interface Counted {
  wait: number;
  earlier: number;
}

export interface Counters {
  /**
   * @param name a unique name for each kind
   * @param keys whether its keys are network addresses, which no database may show
   */
  limit(name: string, rate: Rate, keys: 'networks' | 'others'): Limit;
  delays(name: string): Delays;
  /** The number of relays on the database, including this one, as far as it knows. */
  readonly replicas: number;
  close(): void;
}

/** The wait after the first wrong try, in milliseconds. It doubles with each. */
export const FIRST_DELAY = 1_000;
export const LONGEST_DELAY = 3_600_000;
/** The time without a try after which the wrong ones are forgotten, in milliseconds. */
export const FORGOTTEN_AFTER = 24 * 3_600_000;
/** This relay's part of a rate, with equal parts for all. It changes with the number of relays. */
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
