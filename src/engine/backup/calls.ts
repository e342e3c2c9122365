/** Calls of another thread, in order and one at a time: the caller prepares the next one meanwhile. */
export class Calls {
  #last: Promise<unknown> = Promise.resolve();

  /** Waits for the call before, and begins one. @throws the failure of the call before */
  async begin(work: () => Promise<unknown>): Promise<void> {
    await this.#last;
    this.#last = work();
    // Its failure is that of the next step.
    this.#last.catch(() => undefined);
  }

  /** Waits for the last call. @throws its failure */
  async end(): Promise<void> {
    await this.#last;
  }
}
