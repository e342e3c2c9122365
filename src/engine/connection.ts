/** State of the connection to the relay, with the reason of a failure. */
import type { FailureData } from '../base/failure.ts';
import type { Connection } from '../bridge/shapes/account.ts';
import type { Context } from './context.ts';

export class ConnectionState {
  readonly #context: Context;
  #state: Connection['state'] = 'connecting';
  #problem: FailureData | null = null;
  #isKeyOverdue = false;
  #nextRetryAt: number | null = null;
  #reported = '';

  constructor(context: Context) {
    this.#context = context;
  }

  get(): Connection {
    return {
      state: this.#state,
      problem: this.#problem,
      isKeyOverdue: this.#isKeyOverdue,
      nextRetryAt: this.#nextRetryAt,
      queued: this.#context.outbox.count(),
    };
  }

  connecting(): void {
    // An attempt after a failure keeps its reason until it succeeds.
    this.#state = 'connecting';
    this.#nextRetryAt = null;
    this.#report();
  }

  online(): void {
    this.#state = 'online';
    this.#problem = null;
    this.#isKeyOverdue = false;
    this.#nextRetryAt = null;
    this.#report();
  }

  offline(problem: FailureData, isKeyOverdue: boolean, nextRetryAt: number): void {
    this.#state = 'offline';
    this.#problem = problem;
    this.#isKeyOverdue = isKeyOverdue;
    this.#nextRetryAt = nextRetryAt;
    this.#report();
  }

  queueChanged(): void {
    this.#report();
  }

  #report(): void {
    const now = this.get();
    const text = JSON.stringify(now);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#context.emit('connection.changed', now);
  }
}
