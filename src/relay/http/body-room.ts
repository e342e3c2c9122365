/**
 * Memory limits for request bodies and for pages of the inbox: a share for each account, and a total. Without it
 * one credential on a thousand connections could fill memory with a thousand of the largest bodies, or with a
 * thousand pages that it never reads.
 */
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';

/** The largest bodies that one account may have in progress. */
const MAX_FOR_ACCOUNT = 4;
/** The largest bodies that may be in progress in total. */
const MAX_IN_ALL = 64;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

/** The room of one call. */
export interface Hold {
  /**
   * Reserves more bytes; a negative number returns some.
   * @throws ProblemError rate_limited if the account has too much in progress
   */
  reserve(bytes: number): void;
  /** Returns all of it. A second call does nothing. */
  release(): void;
}

interface Reservation {
  bytes: number;
  cut(): void;
}

interface Account {
  bytes: number;
  /** Oldest first. */
  calls: Set<Reservation>;
}

export class BodyRoom {
  readonly #largest: number;
  readonly #accounts = new Map<AccountKey, Account>();
  #used = 0;

  /** @param largest the largest body, and page, that any call has, in bytes */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** Reserved bytes. */
  get used(): number {
    return this.#used;
  }

  /**
   * The room of a call, empty at first.
   * @param cut ends the call. When all room is used, the account that uses most of it loses its oldest call first,
   *   so that slow accounts cannot block the others
   */
  open(account: AccountKey, cut: () => void): Hold {
    const reservation: Reservation = { bytes: 0, cut };
    let isOver = false;
    return {
      reserve: (bytes) => {
        if (!isOver) this.#reserve(account, reservation, bytes);
      },
      release: () => {
        isOver = true;
        this.#change(account, reservation, -reservation.bytes);
      },
    };
  }

  #reserve(account: AccountKey, reservation: Reservation, bytes: number): void {
    if (bytes > 0 && (this.#accounts.get(account)?.bytes ?? 0) + bytes > MAX_FOR_ACCOUNT * this.#largest) {
      throw new ProblemError('rate_limited', 'traffic', {}, { retryAfter: RETRY_AFTER });
    }
    this.#change(account, reservation, bytes);
    while (this.#used > MAX_IN_ALL * this.#largest) this.#cutOne();
  }

  #change(account: AccountKey, reservation: Reservation, bytes: number): void {
    const own = this.#accounts.get(account) ?? { bytes: 0, calls: new Set() };
    this.#used += bytes;
    own.bytes += bytes;
    reservation.bytes += bytes;
    if (reservation.bytes > 0) own.calls.add(reservation);
    else own.calls.delete(reservation);
    if (own.calls.size > 0) this.#accounts.set(account, own);
    else this.#accounts.delete(account);
  }

  #cutOne(): void {
    const [first] = this.#accounts;
    if (!first) return;
    let [account, most] = first;
    for (const [other, reservation] of this.#accounts)
      if (reservation.bytes > most.bytes) [account, most] = [other, reservation];
    const [oldest] = most.calls;
    if (!oldest) return;
    this.#change(account, oldest, -oldest.bytes);
    oldest.cut();
  }
}
