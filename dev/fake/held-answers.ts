import { Failure } from '../../src/base/failure.ts';

/**
 * A bridge that takes its time: some procedures do nothing and answer nothing until they are released.
 */
export class HeldAnswers {
  readonly #names: Set<string>;
  #waiting: PromiseWithResolvers<void>[] = [];

  /** @param names procedures that are held from the beginning */
  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
  }

  /** The number of calls that are kept back now. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** From now on this procedure is asked in vain. */
  hold(name: string): void {
    this.#names.add(name);
  }

  /** The procedures that were kept back act and answer, and no more are kept back. */
  release(): void {
    this.#names.clear();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** The procedures that were kept back fail, and no more are kept back. */
  refuse(): void {
    this.#names.clear();
    for (const { reject } of this.#waiting.splice(0)) reject(new Failure('connection_broke'));
  }

  /** Ends when the procedure may act. */
  async pass(name: string): Promise<void> {
    if (!this.#names.has(name)) return;
    const answer = Promise.withResolvers<void>();
    this.#waiting.push(answer);
    await answer.promise;
  }
}
