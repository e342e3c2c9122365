/**
 * How many device lists of an account are taken in a day, so that the lists that are kept for ever do not grow without
 * end. New lists count by when they say that they were issued. Those that were issued before are lost ones that come
 * back, after a backup was restored: they count by when they came, and more of them are taken.
 */
import { CLOCK_SKEW, LISTS_A_DAY, RETURNED_LISTS_A_DAY } from '../../../../protocol/figures.ts';
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

const DAY = 24 * 3_600_000;

export function listPace(database: Database) {
  // A list is published at most a clock's skew before it says that it was issued: so the index finds all of the day.
  const lastNew = database
    .prepare<[number, number, number], number>(
      `SELECT issued_at FROM device_list WHERE account_id = ? AND published_at > ? AND issued_at > ?
        ORDER BY issued_at DESC LIMIT 1 OFFSET ${LISTS_A_DAY - 1}`,
    )
    .pluck();
  const lastReturned = database
    .prepare<[number, number], number>(
      `SELECT published_at FROM device_list
        WHERE account_id = ? AND published_at > ? AND issued_at <= published_at - ${DAY}
        ORDER BY published_at DESC LIMIT 1 OFFSET ${RETURNED_LISTS_A_DAY - 1}`,
    )
    .pluck();

  return {
    /** Milliseconds until another list of the account is taken; 0: now. */
    async wait(account: AccountKey, issuedAt: number, now: number): Promise<number> {
      const since = now - DAY;
      const last =
        issuedAt > since
          ? await lastNew.get(account, since - CLOCK_SKEW, since)
          : await lastReturned.get(account, since);
      return last === undefined ? 0 : last - since;
    },
  };
}
