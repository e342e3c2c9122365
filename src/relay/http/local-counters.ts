/** Counters of a relay that shares its database with no other: in memory, exact, and reset by a restart. */
import { BoundedMap } from '../../protocol/bounded-map.ts';
import type { Rate } from '../limits/counters.ts';
import {
  type Counted,
  type Counters,
  type Delays,
  FIRST_DELAY,
  FORGOTTEN_AFTER,
  LONGEST_DELAY,
} from '../limits/counters.ts';
import { RateLimit } from './rate-limit.ts';

/** The most keys with remembered wrong tries. */
const MAX_REMEMBERED = 50_000;

interface Failures {
  count: number;
  /** The time of the next allowed try, in milliseconds of a monotonic clock. */
  next: number;
}

export class LocalCounters implements Counters {
  readonly replicas = 1;
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  limit(name: string, rate: Rate): RateLimit {
    return new RateLimit(name, rate, this.#now);
  }

  delays(): Delays {
    return new LocalDelays(this.#now);
  }

  close(): void {}
}

class LocalDelays implements Delays {
  readonly #now: () => number;
  readonly #failures = new BoundedMap<string, Failures>(MAX_REMEMBERED);

  constructor(now: () => number) {
    this.#now = now;
  }

  count(key: string): Counted {
    const own = this.#failuresOf(key);
    const earlier = own.count;
    const wait = Math.ceil((own.next - this.#now()) / 1000);
    if (wait > 0) return { wait, earlier };
    own.next = this.#now() + Math.min(FIRST_DELAY * 2 ** own.count, LONGEST_DELAY);
    own.count++;
    return { wait: 0, earlier };
  }

  giveBack(key: string): void {
    const own = this.#failuresOf(key);
    own.count = Math.max(0, own.count - 1);
    own.next = this.#now();
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  #failuresOf(key: string): Failures {
    const known = this.#failures.get(key);
    if (known && this.#now() - known.next < FORGOTTEN_AFTER) return known;
    const fresh = { count: 0, next: 0 };
    this.#failures.set(key, fresh);
    return fresh;
  }
}
