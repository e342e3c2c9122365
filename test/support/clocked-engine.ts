/**
 * An engine in the thread of the test, so that the test can set its clock and take away its chance: what happens after
 * minutes or a day at random happens at once.
 */
import { openCache } from '../../src/engine/cache/database.ts';
import { Engine } from '../../src/engine/engine.ts';
import { type Contents, contents } from '../../src/messaging/contents/all-kinds.ts';
import { TestEngine } from './engine.ts';

export class ClockedEngine extends TestEngine {
  /** How far its clock is ahead of this process's, in milliseconds. */
  ahead = 0;
  /** From 0 up to 1: what chance says. With 0 everything that comes after a random time comes at once. */
  chance = 0;
  /** The kinds that it knows when it is started next. */
  contents: Contents = contents;
  /** Every event so far. */
  readonly events: { name: string; payload: unknown }[] = [];
  #engine: Engine | null = null;

  override async start(): Promise<this> {
    const settings = {
      sealingWorker: new URL('../../src/engine/sealing/worker.ts', import.meta.url),
      relays: this.relays,
      surroundings: {
        now: () => Date.now() + this.ahead,
        random: () => this.chance,
        contents: this.contents,
      },
    };
    const db = openCache(this.folder.path, this.key);
    this.#engine = new Engine(db, settings, (name, payload) => void this.events.push({ name, payload }));
    return this;
  }

  override async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = null;
  }

  /** Its session's token at the relay. */
  get token(): string {
    const access = this.#engine?.inboxAccess();
    if (!access) throw new Error('this engine has no session');
    return access.token;
  }

  override call(name: string, input: unknown): Promise<unknown> {
    if (!this.#engine) throw new Error('this engine is not running');
    return this.#engine.call(name, input);
  }
}
