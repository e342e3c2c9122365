/** Limits on transfers of blobs in progress: their number per account and in total, and the time of each. */
import { PART_BYTES } from '../../protocol/blob/layout.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';

/** Simultaneous uploads of parts and downloads of blobs of one account. */
const MAX_FOR_ACCOUNT = 8;
/** The same in total. Each uses a connection, a file or a call to the bucket, and a few pieces of 64 KiB. */
const MAX_IN_ALL = 256;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 2;

export class Transfers {
  readonly #byAccount = new Map<AccountKey, number>();
  readonly #partTime: number;
  #all = 0;

  /** @param partTime the longest transfer of one part, in milliseconds */
  constructor(partTime: number) {
    this.#partTime = partTime;
  }

  /** The number in progress. */
  get size(): number {
    return this.#all;
  }

  /**
   * Begins a transfer.
   * @param bytes to be transferred
   * @param gone aborted when the caller disconnects
   * @returns a signal that is aborted when the transfer must end; `end` to be called when it has ended
   * @throws ProblemError rate_limited, unavailable
   */
  begin(account: AccountKey, bytes: number, gone: AbortSignal): { signal: AbortSignal; end: () => void } {
    const own = this.#byAccount.get(account) ?? 0;
    if (own >= MAX_FOR_ACCOUNT) {
      throw new ProblemError('rate_limited', 'traffic', {}, { retryAfter: RETRY_AFTER });
    }
    if (this.#all >= MAX_IN_ALL) {
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
