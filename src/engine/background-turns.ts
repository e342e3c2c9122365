import { setImmediate } from 'node:timers/promises';

/** Turns of background work in the engine's thread: one slice for each turn of the event loop, so that a call waits for one at most. */
export class BackgroundTurns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the caller can do one slice, until its next wait. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
