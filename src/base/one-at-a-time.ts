/**
 * Work of which no two runs go on at once. What is asked for during a run is done by one more after it: the run may have passed
 * already what has changed since.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #again = false;

  /** @param work deals with its own failures */
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
