/**
 * Bytes of blobs that are under way: so many for an account, and so many in all, each for as long as it may take.
 */
import { PART_BYTES } from '../../protocol/blob/layout.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';

/** Parts that come and blobs that go, of one account at once. */
const MOST_FOR_ACCOUNT = 8;
/** The same of all. Each holds a connection, a file or a call to the bucket, and a few pieces of 64 KiB. */
const MOST_IN_ALL = 256;
/** Who has to wait comes again after so many seconds. */
const RETRY_AFTER = 2;

export class Transfers {
  readonly #byAccount = new Map<AccountKey, number>();
  readonly #partTime: number;
  #all = 0;

  /** @param partTime how long one part may take on its way, in milliseconds */
  constructor(partTime: number) {
    this.#partTime = partTime;
  }

  /** How many are under way. */
  get size(): number {
    return this.#all;
  }

  /**
   * Begins one.
   * @param bytes that are on their way
   * @param gone aborted when the caller is gone
   * @returns aborted when it has to end; `end` to be called when it has ended
   * @throws ProblemError rate_limited, unavailable
   */
  begin(account: AccountKey, bytes: number, gone: AbortSignal): { signal: AbortSignal; end: () => void } {
    const own = this.#byAccount.get(account) ?? 0;
    if (own >= MOST_FOR_ACCOUNT) {
      throw new ProblemError('rate_limited', 'traffic', {}, { retryAfter: RETRY_AFTER });
    }
    if (this.#all >= MOST_IN_ALL) {
      throw new ProblemError('unavailable', 'transfers', {}, { retryAfter: RETRY_AFTER });
    }
    this.#byAccount.set(account, own + 1);
    this.#all++;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#partTime * Math.ceil(bytes / PART_BYTES));
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#all--;
      const left = (this.#byAccount.get(account) ?? 1) - 1;
      if (left > 0) this.#byAccount.set(account, left);
      else this.#byAccount.delete(account);
    };
    return { signal: AbortSignal.any([gone, late.signal]), end };
  }
}
