/** Work of which one part begins after the other. */
export class Turns {
  readonly #longest: number;
  #last: Promise<unknown> = Promise.resolve();

  /** @param longest time after which the next part begins though the one before has not ended, in milliseconds */
  constructor(longest: number) {
    this.#longest = longest;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const { promise: next, resolve: begin } = Promise.withResolvers<void>();
    const result = this.#last.then(() => {
      const timer = setTimeout(begin, this.#longest);
      return work().finally(() => {
        clearTimeout(timer);
        begin();
      });
    });
    this.#last = next;
    return result;
  }
}
