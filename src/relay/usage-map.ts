/**
 * How much of something each key has used of late, in bounded memory. Who has nothing left to count is forgotten first;
 * so nobody loses what is known of them to many others who have used little.
 */

/** Entries that are looked at for each that is new. */
const LOOKED_AT = 8;

export class UsageMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;
  readonly #used: (value: Value) => number;
  /** Goes round all entries. */
  #hand: Iterator<[Key, Value]> = this.#entries.entries();

  /**
   * @param most entries that are kept at most
   * @param used how much an entry counts by now, 0 and above; 0: it is as if it were not there
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
   * Adds a key that is not there. A few others are looked at: those that count nothing are forgotten, and, if there are
   * too many all the same, the one of them that counts least.
   */
  add(key: Key, value: Value): void {
    let least: { key: Key; used: number } | null = null;
    for (let count = 0; count < LOOKED_AT; count++) {
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

  /** The next entry, from the first again after the last. Null if there is none. */
  #next(): [Key, Value] | null {
    const next = this.#hand.next();
    if (!next.done) return next.value;
    this.#hand = this.#entries.entries();
    const first = this.#hand.next();
    return first.done ? null : first.value;
  }
}
