/**
 * How much of the memory bodies may take while they arrive and are read, and pages of the inbox while they are made and
 * sent: a part for each account, and all together. Without it one credential on a thousand connections would hold a
 * thousand bodies of the largest size, or let a thousand pages wait that it never reads.
 */
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';

/** The largest bodies that one account may have under way. */
const MOST_FOR_ACCOUNT = 4;
/** The largest bodies that may be under way in all. */
const MOST_IN_ALL = 64;
/** Who has to wait for room comes again after so many seconds. */
const RETRY_AFTER = 1;

/** The room of one call. */
export interface Hold {
  /**
   * Takes room for so many bytes more; fewer than none gives some back.
   * @throws ProblemError rate_limited if the account has too much under way
   */
  take(bytes: number): void;
  /** Gives back all of it. Again: nothing happens. */
  release(): void;
}

interface Held {
  bytes: number;
  cut(): void;
}

interface Account {
  bytes: number;
  /** Oldest first. */
  calls: Set<Held>;
}

export class BodyRoom {
  readonly #largest: number;
  readonly #accounts = new Map<AccountKey, Account>();
  #used = 0;

  /** @param largest the largest body, and page, that any call has, in bytes */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** What is taken, in bytes. */
  get used(): number {
    return this.#used;
  }

  /**
   * The room of a call, none as yet.
   * @param cut ends the call: when all room is taken, the account that has most of it gives way, its oldest call first,
   *   so that accounts that hold what they have for as long as they may keep nobody else out
   */
  open(account: AccountKey, cut: () => void): Hold {
    const held: Held = { bytes: 0, cut };
    let isOver = false;
    return {
      take: (bytes) => {
        if (!isOver) this.#take(account, held, bytes);
      },
      release: () => {
        isOver = true;
        this.#change(account, held, -held.bytes);
      },
    };
  }

  #take(account: AccountKey, held: Held, bytes: number): void {
    if (bytes > 0 && (this.#accounts.get(account)?.bytes ?? 0) + bytes > MOST_FOR_ACCOUNT * this.#largest) {
      throw new ProblemError('rate_limited', 'traffic', {}, { retryAfter: RETRY_AFTER });
    }
    this.#change(account, held, bytes);
    while (this.#used > MOST_IN_ALL * this.#largest) this.#cutOne();
  }

  #change(account: AccountKey, held: Held, bytes: number): void {
    const own = this.#accounts.get(account) ?? { bytes: 0, calls: new Set() };
    this.#used += bytes;
    own.bytes += bytes;
    held.bytes += bytes;
    if (held.bytes > 0) own.calls.add(held);
    else own.calls.delete(held);
    if (own.calls.size > 0) this.#accounts.set(account, own);
    else this.#accounts.delete(account);
  }

  #cutOne(): void {
    const [first] = this.#accounts;
    if (!first) return;
    let [account, most] = first;
    for (const [other, held] of this.#accounts) if (held.bytes > most.bytes) [account, most] = [other, held];
    const [oldest] = most.calls;
    if (!oldest) return;
    this.#change(account, oldest, -oldest.bytes);
    oldest.cut();
  }
}
