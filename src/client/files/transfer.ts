/**
 * What uploads and downloads share: how long they may take, and when they are tried again.
 */
import { pause } from '../../base/backoff.ts';
import { isTransient } from '../../messaging/relay.ts';
import { Failure, failedWith } from '../errors.ts';
import { waitAfter } from '../wait-after.ts';

/** How long nothing may move on a connection, in milliseconds. */
export const STALL = 30_000;
/** Attempts in which nothing was gained, one after the other, before a transfer is given up. */
const MOST_ATTEMPTS = 6;
/** The longest wait for a relay that asks for patience, in milliseconds. */
const LONGEST_WAIT = 30_000;
/** Slower than this a relay keeps a transfer for as long as it likes, in bytes for each millisecond: 64 kbit/s. */
const LEAST_PACE = 8;
const LEAST_TIME = 60_000;

export interface TransferOptions {
  /** Cuts the transfer. It goes on when it is asked for again. */
  signal?: AbortSignal;
  /** Called now and then with the bytes of the sealed file that are done. */
  onProgress?: (done: number, all: number) => void;
}

/** What another attempt would meet again. */
function isLasting(error: unknown): boolean {
  return failedWith(error, 'blob_quota', 'relay_wrong_answer', 'relay_answer_compressed', 'not_a_relay');
}

/** One transfer of so many bytes. */
export class Patience {
  readonly #signal: AbortSignal | undefined;
  readonly #end: number;
  #failures = 0;

  constructor(bytes: number, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#end = performance.now() + LEAST_TIME + bytes / LEAST_PACE;
  }

  /** Something was gained: attempts count anew. */
  progress(): void {
    this.#failures = 0;
  }

  /**
   * Waits before another attempt.
   * @throws the failure, if another attempt makes no sense; Failure 'file_too_slow'; why the caller has cut it
   */
  async after(error: unknown): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#failures++;
    const wait = waitAfter(error, this.#failures);
    if (!isTransient(error) || isLasting(error) || this.#failures >= MOST_ATTEMPTS || wait > LONGEST_WAIT)
      throw error;
    await pause(wait, this.#signal);
    this.#signal?.throwIfAborted();
    this.requireTime();
  }

  /** @throws Failure 'file_too_slow' */
  requireTime(): void {
    if (performance.now() > this.#end) throw new Failure('file_too_slow');
  }

  /** Makes attempts until one succeeds. */
  async run<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        await this.after(error);
      }
    }
  }
}
