/** Work of several callers, one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does work after that of the calls before, also if one of these failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
