/**
 * A queue that runs one task at a time, with each account in its turn. An account with many tasks delays only
 * itself.
 */
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from './records.ts';

/** The most waiting tasks of one account, and in total. */
const MAX_OF_ONE = 16;
const MAX_OF_ALL = 500;

interface Task {
  run(): Promise<void>;
  refuse(): void;
}

export class FairQueue {
  /** In the order of their turns. */
  readonly #waiting = new Map<AccountKey, Task[]>();
  #count = 0;
  #isRunning = false;

  /**
   * Runs a task when it is its account's turn. When too many tasks wait in total, the account with the most loses
   * its last one. Accounts that use their full allowance cannot block the others.
   * @throws ProblemError rate_limited if too many tasks of the account wait, unavailable if too many wait in total;
   *   errors of the task
   */
  run<T>(by: AccountKey, task: () => Promise<T>): Promise<T> {
    const own = this.#waiting.get(by) ?? [];
    if (own.length >= MAX_OF_ONE) {
      return Promise.reject(new ProblemError('rate_limited', 'long_answers', {}, { retryAfter: 1 }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    own.push({ run: () => task().then(resolve, reject), refuse: () => reject(tooMany()) });
    this.#waiting.set(by, own);
    this.#count++;
    if (this.#count > MAX_OF_ALL) this.#refuseOne();
    if (!this.#isRunning) void this.#serve();
    return promise;
  }

  async #serve(): Promise<void> {
    this.#isRunning = true;
    for (let task = this.#next(); task; task = this.#next()) await task.run();
    this.#isRunning = false;
  }

  /** Among accounts with equally many tasks, the newest one loses. */
  #refuseOne(): void {
    let [by, most]: [AccountKey | null, Task[]] = [null, []];
    for (const [account, tasks] of this.#waiting)
      if (tasks.length >= most.length) [by, most] = [account, tasks];
    if (by === null) return;
    most.pop()?.refuse();
    if (most.length === 0) this.#waiting.delete(by);
    this.#count--;
  }

  /** The first task of the next account, which then moves to the end of the order. */
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

function tooMany(): ProblemError {
  return new ProblemError('unavailable', 'long_answers', {}, { retryAfter: 1 });
}
