/**
 * Where marks stand in a text, found in one pass.
 */

/**
 * Places in a text, asked for from left to right only. However often it is asked, the places are passed over once, so
 * that reading a text takes time in proportion to its length.
 */
export class Places {
  readonly #places: readonly number[];
  #next = 0;

  /** @param places in rising order */
  constructor(places: readonly number[]) {
    this.#places = places;
  }

  /**
   * The first place at `position` or after it, or infinity.
   * @param position never less than in the question before
   */
  from(position: number): number {
    while ((this.#places[this.#next] ?? Number.POSITIVE_INFINITY) < position) this.#next += 1;
    return this.#places[this.#next] ?? Number.POSITIVE_INFINITY;
  }
}

/** Where a pattern of single characters, or of runs of them, matches. */
export function placesOf(source: string, pattern: RegExp): Places {
  return new Places(Array.from(source.matchAll(pattern), ({ index }) => index));
}
