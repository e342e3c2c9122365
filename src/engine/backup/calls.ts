/** Calls of another thread, which works on them in their order: the caller prepares the next one meanwhile. */
export class Calls {
  readonly #most: number;
  /** Oldest first. */
  readonly #pending: Promise<void>[] = [];

  /** @param most number of calls at the same time */
  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for the oldest call if there are too many, and begins one. @throws the failure of an earlier call */
  async begin(work: () => Promise<void>): Promise<void> {
    if (this.#pending.length >= this.#most) {
      await this.#pending[0];
      this.#pending.shift();
    }
    const call = work();
    // Its failure is that of a next step.
    call.catch(() => undefined);
    this.#pending.push(call);
  }

  /** Waits for all calls. @throws the first failure */
  async end(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
