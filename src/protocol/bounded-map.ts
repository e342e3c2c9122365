/**
 * A map with bounded memory and constant time that forgets the entries not used recently.
 *
 * It has two generations. New entries go into the young one; when that is full, it becomes the old one, and the
 * previous old one is deleted. (Deleting a Map's first key for each new one becomes slower with each deletion.)
 */
export class BoundedMap<Key, Value> {
  readonly #generation: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param most maximum number of entries; at least the newer half of them is kept */
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
