/**
 * One after the other, and each account in its turn: so that whoever asks for a lot waits for that, and nobody else does.
 */
import { ProblemError } from '../protocol/problems.ts';
import type { AccountKey } from './store/store.ts';

/** Tasks of one account, and of all, that may wait. */
const MOST_OF_ONE = 16;
const MOST_OF_ALL = 500;

interface Task {
  run(): Promise<void>;
}

export class FairQueue {
  /** In the order of their turns. */
  readonly #waiting = new Map<AccountKey, Task[]>();
  #count = 0;
  #isRunning = false;

  /**
   * Runs a task when it is its account's turn.
   * @throws ProblemError rate_limited if too many of the account wait, unavailable if too many of all; what the task throws
   */
  run<T>(by: AccountKey, task: () => Promise<T>): Promise<T> {
    const own = this.#waiting.get(by) ?? [];
    if (own.length >= MOST_OF_ONE) {
      return refused('rate_limited', 'Too many long answers to you are being made. Wait for some of them.');
    }
    if (this.#count >= MOST_OF_ALL) {
      return refused('unavailable', 'Too many long answers are being made just now. Try again.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    own.push({ run: () => task().then(resolve, reject) });
    this.#waiting.set(by, own);
    this.#count++;
    if (!this.#isRunning) void this.#serve();
    return promise;
  }

  async #serve(): Promise<void> {
    this.#isRunning = true;
    for (let task = this.#next(); task; task = this.#next()) await task.run();
    this.#isRunning = false;
  }

  /** The first of the account whose turn it is; its others come after those of everybody else. */
  #next(): Task | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [by, tasks] = turn;
    const task = tasks.shift();
    this.#waiting.delete(by);
    if (tasks.length > 0) this.#waiting.set(by, tasks);
    this.#count--;
    return task;
  }
}

function refused(code: 'rate_limited' | 'unavailable', sentence: string): Promise<never> {
  return Promise.reject(new ProblemError(code, sentence, { retryAfter: 1 }));
}
