/**
 * How much of the memory bodies may take while they arrive and are read: a part for each account, and all together.
 * Without it one credential on a thousand connections would hold a thousand bodies of the largest size.
 */
import { ProblemError } from '../../protocol/problems.ts';
import type { AccountKey } from '../store/store.ts';

/** The largest bodies that one account may have under way. */
const MOST_FOR_ACCOUNT = 4;
/** The largest bodies that may be under way in all. */
const MOST_IN_ALL = 64;
/** Who has to wait for room comes again after so many seconds. */
const RETRY_AFTER = 1;

export class BodyRoom {
  readonly #largest: number;
  readonly #byAccount = new Map<AccountKey, number>();
  #used = 0;

  /** @param largest the largest body that any call takes, in bytes */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** What is taken, in bytes. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes room for a part of a body.
   * @throws ProblemError rate_limited if the account has too much under way, unavailable if all together have
   */
  take(account: AccountKey, bytes: number): void {
    const own = (this.#byAccount.get(account) ?? 0) + bytes;
    if (own > MOST_FOR_ACCOUNT * this.#largest) {
      throw new ProblemError(
        'rate_limited',
        'You send too much at the same time. Send one after the other.',
        {
          retryAfter: RETRY_AFTER,
        },
      );
    }
    if (this.#used + bytes > MOST_IN_ALL * this.#largest) {
      throw new ProblemError('unavailable', 'The relay is receiving too much just now. Try again.', {
        retryAfter: RETRY_AFTER,
      });
    }
    this.#used += bytes;
    this.#byAccount.set(account, own);
  }

  /** Gives back what was taken. */
  giveBack(account: AccountKey, bytes: number): void {
    this.#used -= bytes;
    const left = (this.#byAccount.get(account) ?? 0) - bytes;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }
}
