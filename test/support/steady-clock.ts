/** A clock that only the test advances: waits depend on it, and never on the speed of the machine. */
import type { SteadyClock } from '../../src/relay/steady-clock.ts';

export class StoppedClock implements SteadyClock {
  #time = 0;
  #asleep = 0;
  readonly #due = new Map<() => void, number>();

  now(): number {
    return this.#time;
  }

  sinceBoot(): number {
    return this.#time + this.#asleep;
  }

  /** The computer is asleep for a number of milliseconds: nothing runs. */
  sleep(milliseconds: number): void {
    this.#asleep += milliseconds;
  }

  after(milliseconds: number, call: () => void): () => void {
    // The same function may be scheduled twice.
    const once = () => call();
    this.#due.set(once, this.#time + milliseconds);
    return () => void this.#due.delete(once);
  }

  /** Advances by a number of milliseconds at once, and runs the due callbacks, in order. */
  pass(milliseconds: number): void {
    const end = this.#time + milliseconds;
    for (;;) {
      const [next] = [...this.#due].filter(([, at]) => at <= end).sort(([, a], [, b]) => a - b);
      if (!next) break;
      const [call, at] = next;
      this.#due.delete(call);
      this.#time = at;
      call();
    }
    this.#time = end;
  }
}
