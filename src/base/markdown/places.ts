/** Positions of marks in a text, found in one pass. */

/**
 * Positions in a text, queried only from left to right. All queries together pass over them once, so that parsing
 * takes time in proportion to the length.
 */
export class Places {
  readonly #places: readonly number[];
  #next = 0;

  /** @param places in ascending order */
  constructor(places: readonly number[]) {
    this.#places = places;
  }

  /**
   * The first position at `position` or after it, or infinity.
   * @param position never less than in the query before
   */
  from(position: number): number {
    while ((this.#places[this.#next] ?? Number.POSITIVE_INFINITY) < position) this.#next += 1;
    return this.#places[this.#next] ?? Number.POSITIVE_INFINITY;
  }
}

/** Matches of a pattern of single characters, or of runs of them. */
export function placesOf(source: string, pattern: RegExp): Places {
  return new Places(Array.from(source.matchAll(pattern), ({ index }) => index));
}
