/**
 * Limits attempts at a passphrase: three at once, then after 1 second, doubling up to 5 minutes. An attempt
 * is recorded before it is made, so that killing the process does not grant another one.
 */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { writeDurably } from '../../base/node/durable-file.ts';

const FILE = 'attempts.json';
const FREE_ATTEMPTS = 3;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 5 * 60_000;

const Stored = z.strictObject({ failed: z.number().int().positive(), lastAt: z.number() });

/** Milliseconds to wait after this number of failed attempts. */
export function waitAfter(failed: number): number {
  if (failed < FREE_ATTEMPTS) return 0;
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failed - FREE_ATTEMPTS));
}

export class Attempts {
  readonly #path: string;
  #failed = 0;
  /** In milliseconds since 1970; may be earlier than a clock that was set back, never later than now. */
  #lastAt = 0;

  constructor(folder: string) {
    this.#path = join(folder, FILE);
    const stored = this.#read();
    if (!stored) return;
    this.#failed = stored.failed;
    this.#lastAt = Math.min(stored.lastAt, Date.now());
  }

  /** Number of failed attempts since the last success. */
  get failed(): number {
    return this.#failed;
  }

  /** Milliseconds until the next attempt is allowed. */
  get wait(): number {
    return Math.max(0, this.#lastAt + waitAfter(this.#failed) - Date.now());
  }

  /**
   * Makes one attempt.
   * @returns null if it failed
   * @throws Failure `attempts_too_many` if it is too early: then nothing was tried
   */
  async make<T>(attempt: () => Promise<T | null>): Promise<T | null> {
    if (this.wait > 0) {
      const seconds = Math.ceil(this.wait / 1000);
      throw new Failure('attempts_too_many', { failed: this.#failed, seconds });
    }
    this.#failed += 1;
    this.#lastAt = Date.now();
    writeDurably(this.#path, JSON.stringify({ failed: this.#failed, lastAt: this.#lastAt }));
    const result = await attempt();
    if (result !== null) this.reset();
    return result;
  }

  reset(): void {
    this.#failed = 0;
    rmSync(this.#path, { force: true });
  }

  /** An emptied file counts as a deleted one: anyone who can do that has a copy of the wraps. */
  #read(): z.infer<typeof Stored> | null {
    try {
      return Stored.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      return null;
    }
  }
}
