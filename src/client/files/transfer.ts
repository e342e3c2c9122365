/** Time limits and retries of uploads and downloads. */
import { pause } from '../../base/backoff.ts';
import { isTransient } from '../../messaging/relay.ts';
import { Failure, failedWith } from '../errors.ts';
import { waitAfter } from '../wait-after.ts';

/** The longest time without traffic on a connection, in milliseconds. */
export const STALL = 30_000;
/** Successive attempts without progress before a transfer fails. */
const MAX_ATTEMPTS = 6;
/** The longest wait for a relay that requests one, in milliseconds. */
const LONGEST_WAIT = 30_000;
/**
 * The least speed, in bytes for each millisecond: 64 kbit/s. Otherwise a relay could delay a transfer without end.
 */
const LEAST_PACE = 8;
const LEAST_TIME = 60_000;

export interface TransferOptions {
  /** Aborts the transfer. A later call continues it. */
  signal?: AbortSignal;
  /** Called from time to time with the transferred bytes of the sealed file. */
  onProgress?: (done: number, all: number) => void;
}

/** Reports whether another attempt at a transfer may succeed. */
export function isWorthRetry(error: unknown): boolean {
  const isLasting = failedWith(
    error,
    'blob_quota',
    'relay_wrong_answer',
    'relay_answer_compressed',
    'not_a_relay',
  );
  return isTransient(error) && !isLasting;
}

/** Retries of one transfer of known length. */
export class Patience {
  readonly #signal: AbortSignal | undefined;
  readonly #end: number;
  #failures = 0;

  constructor(bytes: number, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#end = performance.now() + LEAST_TIME + bytes / LEAST_PACE;
  }

  /** Resets the count of attempts after progress. */
  progress(): void {
    this.#failures = 0;
  }

  /**
   * Waits before another attempt.
   * @throws the failure, if another attempt is useless; Failure 'file_too_slow'; the caller's reason for aborting
   */
  async after(error: unknown): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#failures++;
    const wait = waitAfter(error, this.#failures);
    if (!isWorthRetry(error) || this.#failures >= MAX_ATTEMPTS || wait > LONGEST_WAIT) throw error;
    this.requireTime();
    await pause(wait, this.#signal);
    this.#signal?.throwIfAborted();
    this.requireTime();
  }

  /** @throws Failure 'file_too_slow' */
  requireTime(): void {
    if (performance.now() > this.#end) throw new Failure('file_too_slow');
  }

  /** Repeats attempts until one succeeds. */
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
