/** Asynchronous work of several callers, in the order of their calls. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts work when all earlier work has ended or failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
