import { Failure } from '../../src/base/failure.ts';

/**
 * A bridge with delays: some procedures wait and answer only when they are released.
 */
export class HeldAnswers {
  readonly #names: Set<string>;
  readonly #answers = new Set<string>();
  #waiting: PromiseWithResolvers<void>[] = [];

  /** @param names procedures that wait from the beginning */
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

  /** From now on this procedure acts, and its answer is kept back. */
  holdAnswer(name: string): void {
    this.#answers.add(name);
  }

  /** The procedures that were kept back act and answer, and no more are kept back. */
  release(): void {
    this.#names.clear();
    this.#answers.clear();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** The procedures that were kept back fail, and no more are kept back. */
  refuse(): void {
    this.#names.clear();
    this.#answers.clear();
    for (const { reject } of this.#waiting.splice(0)) reject(new Failure('connection_broke'));
  }

  /** Ends when the procedure may act. */
  async pass(name: string): Promise<void> {
    if (this.#names.has(name)) await this.#wait();
  }

  /** Ends when the answer may arrive. */
  async passAnswer(name: string): Promise<void> {
    if (this.#answers.has(name)) await this.#wait();
  }

  async #wait(): Promise<void> {
    const answer = Promise.withResolvers<void>();
    this.#waiting.push(answer);
    await answer.promise;
  }
}
