/**
 * Runs work without overlap. Requests during a run cause one more run after it, because the current one may
 * have passed the change already.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #again = false;

  /** @param work handles its own failures */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  ask(): void {
    if (this.#isRunning) this.#again = true;
    else void this.#run();
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
