/**
 * Runs work without overlap. Requests during a run cause one more run after it, because the current one may
 * have passed the change already.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #again = false;
  #ended: Promise<void> = Promise.resolve();

  /** @param work handles its own failures */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** @returns a promise that resolves after the last run that was requested */
  request(): Promise<void> {
    if (this.#isRunning) this.#again = true;
    else this.#ended = this.#run();
    return this.#ended;
  }

  /** Waits for the current run and the one after it, if any. */
  async idle(): Promise<void> {
    await this.#ended;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      do {
        this.#again = false;
        await this.#work();
      } while (this.#again);
    } finally {
      this.#isRunning = false;
    }
  }
}
