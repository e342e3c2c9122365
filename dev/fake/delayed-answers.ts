import { Failure } from '../../src/base/failure.ts';

/**
 * A bridge with delays: the chosen procedures wait until a test answers them.
 */
export class DelayedAnswers {
  readonly #names: Set<string>;
  readonly #answers = new Set<string>();
  #waiting: PromiseWithResolvers<void>[] = [];

  /** @param names procedures that are delayed from the start */
  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
  }

  /** The number of delayed calls. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Delays the calls of this procedure from now on. */
  delay(name: string): void {
    this.#names.add(name);
  }

  /** Delays no more calls of this procedure. Those that are delayed still wait. */
  runAtOnce(name: string): void {
    this.#names.delete(name);
  }

  /** Delays the answers of this procedure from now on; its calls run at once. */
  delayAnswer(name: string): void {
    this.#answers.add(name);
  }

  /** Runs and answers the delayed calls, and delays no more of them. */
  answer(): void {
    this.#names.clear();
    this.#answers.clear();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Fails the delayed calls, and delays no more of them. */
  refuse(failure: Failure = new Failure('connection_broke')): void {
    this.#names.clear();
    this.#answers.clear();
    for (const { reject } of this.#waiting.splice(0)) reject(failure);
  }

  /** The same with the failure of an invitation that was canceled. */
  cancelInvitation(): void {
    this.refuse(new Failure('roster_act_refused', { reason: 'ticket_void' }));
  }

  /** Resolves when the procedure may run. */
  async pass(name: string): Promise<void> {
    if (this.#names.has(name)) await this.#wait();
  }

  /** Resolves when the answer may arrive. */
  async passAnswer(name: string): Promise<void> {
    if (this.#answers.has(name)) await this.#wait();
  }

  async #wait(): Promise<void> {
    const answer = Promise.withResolvers<void>();
    this.#waiting.push(answer);
    await answer.promise;
  }
}
