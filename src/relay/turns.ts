/**
 * Long work on the thread that answers, in pieces: in each round of the event loop one piece is done, whichever account it is for,
 * and what came in meanwhile is looked at before the next.
 */

/** How long a piece takes at most before it gives way, about, in milliseconds. */
const PIECE = 5;

export class Turns {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when it is the caller's turn, in a later round of the event loop. First come, first served. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#serve());
    return promise;
  }

  /** What `work` makes of each item, in order, in as many turns as it takes. Throws what `work` throws. */
  async map<In, Out>(items: readonly In[], work: (item: In, index: number) => Out): Promise<Out[]> {
    const made: Out[] = [];
    let end = this.#now() + PIECE;
    for (const [index, item] of items.entries()) {
      if (this.#now() >= end) {
        await this.next();
        end = this.#now() + PIECE;
      }
      made.push(work(item, index));
    }
    return made;
  }

  #serve(): void {
    this.#waiting.shift()?.();
    // A piece begins when its promise is looked at, right after this; the next one in another round.
    if (this.#waiting.length > 0) setImmediate(() => this.#serve());
  }
}
