/**
 * Whether the relay is there, in words for the person.
 */
import type { Connection } from '../bridge/shapes.ts';
import type { Context } from './context.ts';

export class ConnectionState {
  readonly #context: Context;
  #state: Connection['state'] = 'connecting';
  #problem: string | null = null;
  #nextRetryAt: number | null = null;
  #told = '';

  constructor(context: Context) {
    this.#context = context;
  }

  get(): Connection {
    return {
      state: this.#state,
      problem: this.#problem,
      nextRetryAt: this.#nextRetryAt,
      queued: this.#context.outbox.count(),
    };
  }

  connecting(): void {
    // An attempt after a failure keeps the sentence until it is known to have succeeded.
    this.#state = 'connecting';
    this.#nextRetryAt = null;
    this.#tell();
  }

  online(): void {
    this.#state = 'online';
    this.#problem = null;
    this.#nextRetryAt = null;
    this.#tell();
  }

  offline(problem: string, nextRetryAt: number): void {
    this.#state = 'offline';
    this.#problem = problem;
    this.#nextRetryAt = nextRetryAt;
    this.#tell();
  }

  queueChanged(): void {
    this.#tell();
  }

  #tell(): void {
    const now = this.get();
    const text = JSON.stringify(now);
    if (text === this.#told) return;
    this.#told = text;
    this.#context.emit('connection.changed', now);
  }
}
