/**
 * A bridge that takes its time: answers of some procedures are kept back until they are released.
 */
export class HeldAnswers {
  readonly #names: Set<string>;
  #waiting: (() => void)[] = [];

  /** @param names procedures that are held from the beginning */
  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
  }

  /** From now on this procedure is asked in vain. */
  hold(name: string): void {
    this.#names.add(name);
  }

  /** What was kept back arrives, and nothing more is. */
  release(): void {
    this.#names.clear();
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Ends when the answer may go. */
  async pass(name: string): Promise<void> {
    if (this.#names.has(name)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
