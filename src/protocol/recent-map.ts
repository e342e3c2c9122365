/**
 * A map that remembers what was used of late and forgets the rest, in bounded memory and constant time.
 *
 * Two generations: what is set goes into the young one; when that is full it becomes the old one, and what was in the
 * old one is forgotten. (Deleting a Map's first key for each new one takes longer the more was deleted before.)
 */
export class BoundedMap<Key, Value> {
  readonly #generation: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param most entries that are kept at most; at least the newer half of them is */
  constructor(most: number) {
    this.#generation = Math.ceil(most / 2);
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#generation && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
