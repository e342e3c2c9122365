/**
 * Removal of files from the disk while their messages stay: at the request of the person, and after the time for which files
 * are kept. In bounded steps, between which the engine answers.
 */
import { setImmediate } from 'node:timers/promises';
import { describe } from '../../base/error-facts.ts';
import { log, logUnexpected } from '../../base/log.ts';
import { OneAtATime } from '../../base/one-at-a-time.ts';
import { FIRST_HERE, type FileHere, type HereCursor } from '../cache/disk-use.ts';
import type { Context } from '../context.ts';

/** Files per step. */
const AT_ONCE = 200;
const DAY = 24 * 3_600_000;

type NextPage = (after: HereCursor) => (FileHere & { isRemovable: boolean })[];

export class FileClearing {
  readonly #context: Context;
  readonly #retention = new OneAtATime(() => this.#applyRetention());
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Removes the files of a conversation; null: of all. Unsent ones stay, and those of other conversations, too. */
  async clear(conversationId: number | null): Promise<void> {
    const { diskUse } = this.#context;
    await this.#remove((after) => diskUse.removable(conversationId, after, AT_ONCE));
  }

  /**
   * Removes files that have been here for longer than the person keeps files. Pinned and unsent ones stay. Called while the
   * clock agrees with the relay's: a wrong one would remove files too early.
   */
  applyRetention(): Promise<void> {
    return this.#retention.request();
  }

  /** Ends the running removals after their current step. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running);
  }

  async #applyRetention(): Promise<void> {
    const { diskUse, fileSettings, now } = this.#context;
    const { keepDays } = fileSettings;
    if (keepDays === null) return;
    const upTo = now() - keepDays * DAY;
    try {
      await this.#remove((after) =>
        // The person may have changed the setting between two steps.
        fileSettings.keepDays === keepDays ? diskUse.outdated(after, upTo, AT_ONCE) : [],
      );
    } catch (error) {
      logUnexpected(describe(error));
    }
  }

  async #remove(nextPage: NextPage): Promise<void> {
    const removal = this.#removeAll(nextPage);
    this.#running.add(removal);
    try {
      await removal;
    } finally {
      this.#running.delete(removal);
    }
  }

  async #removeAll(nextPage: NextPage): Promise<void> {
    const { diskUse, emit, files, transaction } = this.#context;
    let count = 0;
    for (let after: HereCursor | undefined = FIRST_HERE; after && !this.#closed; ) {
      const page = nextPage(after);
      const ids = page.filter(({ isRemovable }) => isRemovable).map(({ id }) => id);
      after = page.at(-1);
      if (ids.length > 0) {
        const chats = transaction(() => diskUse.remove(ids));
        files.reportRemoved();
        for (const chat of chats) emit('messages.changed', { conversationId: String(chat) });
        count += ids.length;
      }
      if (after) await setImmediate();
    }
    if (count > 0) log('info', 'files.cleared', { count });
  }
}
