/**
 * Long work on the answering thread, in slices: each round of the event loop runs one slice, in order of arrival, so that
 * new requests are read between two slices.
 */

/** The approximate length of a slice, in milliseconds. */
const SLICE = 2;

export class Scheduler {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves at the start of the caller's slice, in a later round of the event loop. First in, first out. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.push(resolve) === 1) {
      // Twice: the first one still belongs to this round if the caller was called for a message or for input.
      setImmediate(() => setImmediate(() => this.#runNext()));
    }
    return promise;
  }

  /** Maps each item by `work`, in order, in as many slices as needed. Rejects with the error of `work`. */
  async map<In, Out>(items: readonly In[], work: (item: In, index: number) => Out): Promise<Out[]> {
    const made: Out[] = [];
    let end = this.#now() + SLICE;
    for (const [index, item] of items.entries()) {
      if (this.#now() >= end) {
        await this.next();
        end = this.#now() + SLICE;
      }
      made.push(work(item, index));
    }
    return made;
  }

  #runNext(): void {
    this.#waiting.shift()?.();
    // The slice runs in the microtask after this call; the next slice runs in another round.
    if (this.#waiting.length > 0) setImmediate(() => this.#runNext());
  }
}
