/**
 * An engine in the thread of the test, so that the test can set its clock and its random numbers: work that is delayed by
 * a random time of minutes or a day is done at once.
 */
import { startTimer } from '../../src/base/backoff.ts';
import type { EngineSettings } from '../../src/engine/engine.ts';
import type { EngineHandle } from '../../src/engine/start.ts';
import { type Contents, contents } from '../../src/messaging/contents/all-kinds.ts';
import { LocalEngine } from './local-engine.ts';

export class ClockedEngine extends LocalEngine {
  #ahead = 0;
  /** Its timers, with callbacks and times. */
  readonly #due = new Map<() => void, number>();
  /** The random value, from 0 up to 1. With 0 all randomly delayed work is done at once. */
  chance = 0;
  /** The kinds that it knows after its next start. */
  contents: Contents = contents;
  /** Every event so far. */
  readonly events: { name: string; payload: unknown }[] = [];

  /** Lead of its clock over this process's, in milliseconds. Due timers fire at once. */
  get ahead(): number {
    return this.#ahead;
  }

  set ahead(milliseconds: number) {
    this.#ahead = milliseconds;
    for (const [call, at] of [...this.#due]) if (at <= this.#now()) call();
  }

  #now(): number {
    return Date.now() + this.#ahead;
  }

  protected override get surroundings(): EngineSettings['surroundings'] {
    return {
      now: () => this.#now(),
      random: () => this.chance,
      contents: this.contents,
      later: (milliseconds, call) => this.#startTimer(milliseconds, call),
    };
  }

  #startTimer(milliseconds: number, call: () => void): () => void {
    const end = () => {
      cancel();
      call();
    };
    const stop = startTimer(milliseconds, end);
    const cancel = () => {
      stop();
      this.#due.delete(end);
    };
    this.#due.set(end, this.#now() + milliseconds);
    return cancel;
  }

  protected override async open(): Promise<EngineHandle> {
    const handle = await super.open();
    handle.onEvent((name, payload) => void this.events.push({ name, payload }));
    return handle;
  }

  /** Its session's token at the relay. */
  get token(): string {
    const access = this.engine?.inboxAccess();
    if (!access) throw new Error('this engine has no session');
    return access.token;
  }
}
