/**
 * Limits on the device lists of an account per day, so that the permanent record of lists has a bound. New lists
 * count by their own date of issue. Lists with earlier dates return after a restored backup: they count by arrival,
 * with a higher limit.
 */
import { CLOCK_SKEW, LISTS_A_DAY, RETURNED_LISTS_A_DAY } from '../../../../protocol/figures.ts';
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

const DAY = 24 * 3_600_000;

export function listPace(database: Database) {
  // A list may be published earlier than its date of issue by a clock's skew at most: so the index finds the whole
  // day.
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
    /** Milliseconds until another list of the account is allowed; 0 for now. */
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
