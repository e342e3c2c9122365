/**
 * Recent usage by key, in bounded memory. Entries without usage are evicted first, then those with the least usage among a
 * sample, so that many new keys with little usage cannot evict a key with much.
 */

/** Entries sampled for each new one. */
const SAMPLE = 8;

export class UsageCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;
  readonly #used: (value: Value) => number;
  /** The next entry to sample, in circular order. */
  #hand: Iterator<[Key, Value]> = this.#entries.entries();

  /**
   * @param most the maximum number of entries
   * @param used the current usage of an entry, 0 or more; at 0 the entry may go
   */
  constructor(most: number, used: (value: Value) => number) {
    this.#most = most;
    this.#used = used;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /**
   * Adds a missing key. Samples a few others: evicts those without usage and, when full, the one with the least usage.
   */
  add(key: Key, value: Value): void {
    let least: { key: Key; used: number } | null = null;
    for (let count = 0; count < SAMPLE; count++) {
      const next = this.#next();
      if (next === null) break;
      const used = this.#used(next[1]);
      if (used <= 0) this.#entries.delete(next[0]);
      else if (least === null || used < least.used) least = { key: next[0], used };
    }
    if (this.#entries.size >= this.#most && least !== null) this.#entries.delete(least.key);
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** The next entry; after the last, the first. Null if there is none. */
  #next(): [Key, Value] | null {
    const next = this.#hand.next();
    if (!next.done) return next.value;
    this.#hand = this.#entries.entries();
    const first = this.#hand.next();
    return first.done ? null : first.value;
  }
}
