/** Random numbers that a seed repeats. */

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }

  /** @throws Error if there is nothing to choose from */
  choose<T>(from: readonly T[]): T {
    const chosen = from[this.below(from.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
    }
    return shuffled;
  }
}
