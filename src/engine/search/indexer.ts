/**
 * Indexes messages in the background that no transaction indexed: many at once, or all of them after an update of the
 * index; merges the parts of the index; and removes entries of erased texts. Then it returns free space to the disk. In short
 * slices, so that calls are answered between them.
 */
import { describe } from '../../base/error-facts.ts';
import { log, logUnexpected, stopwatch } from '../../base/log.ts';
import type { Context } from '../context.ts';

/** Time between two slices, in milliseconds. */
const PAUSE = 5;
/** Time between two looks for work, in milliseconds: entries of erased texts stay no longer on the disk. */
const LOOK_EVERY = 2_000;

export class Indexer {
  readonly #context: Context;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #wasComplete = true;
  /** Entries of erased texts were removed from the file, and are still in its log. */
  #hasTraces = false;

  constructor(context: Context) {
    this.#context = context;
  }

  start(): void {
    this.#work();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #workInTurn(): Promise<void> {
    await this.#context.turns.next();
    if (!this.#closed) this.#work();
  }

  #work(): void {
    let hasMore = false;
    try {
      hasMore = this.slice();
    } catch (error) {
      // Search finds less until it works again, for example with room on the disk.
      logUnexpected(describe(error));
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#workInTurn(), hasMore ? PAUSE : LOOK_EVERY);
    // The rest is done at the next start.
    this.#timer.unref();
  }

  /** Does one slice of the work, of at most about 10 ms. @returns whether more is left to do */
  slice(): boolean {
    const { emit, eraseTraces, moveLog, returnFreeSpace, searchIndex, transaction, withoutSync } =
      this.#context;
    const ms = stopwatch();
    if (moveLog()) return true;
    if (!searchIndex.repair()) return false;
    if (withoutSync(() => searchIndex.merge() || searchIndex.prepare())) return true;
    if (!searchIndex.isComplete) {
      this.#wasComplete = false;
      // A transaction indexes at its end. After a power cut, the changes of an undone one are indexed again.
      withoutSync(() => transaction(() => undefined));
      if (!searchIndex.isComplete) return true;
    }
    if (!this.#wasComplete) {
      this.#wasComplete = true;
      log('info', 'search.indexed', { ms: ms() });
      emit('search.completed', {});
    }
    if (searchIndex.clean()) {
      this.#hasTraces = true;
      return true;
    }
    if (this.#hasTraces) {
      this.#hasTraces = false;
      eraseTraces();
    }
    return returnFreeSpace();
  }
}
