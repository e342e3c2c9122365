/**
 * Limits on the device lists of an account per day, so that the permanent record of lists has a bound. Each list counts by its
 * arrival, in one of two classes: new lists, and lists that were more than a day old when they arrived. The latter return after a
 * restored backup, and have a higher limit.
 */
import { LISTS_A_DAY, RETURNED_LISTS_A_DAY } from '../../../../protocol/figures.ts';
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

const DAY = 24 * 3_600_000;

export function listPace(database: Database) {
  /** The row whose age of a day makes room for the next one. */
  const last = (comparison: '>' | '<=', most: number) =>
    database
      .prepare<[number, number], number>(
        `SELECT published_at FROM device_list
          WHERE account_id = ? AND published_at > ? AND issued_at ${comparison} published_at - ${DAY}
          ORDER BY published_at DESC LIMIT 1 OFFSET ${most - 1}`,
      )
      .pluck();
  const lastNew = last('>', LISTS_A_DAY);
  const lastReturned = last('<=', RETURNED_LISTS_A_DAY);

  return {
    /** Milliseconds until another list of the account is allowed; 0 for now. */
    async wait(account: AccountKey, issuedAt: number, now: number): Promise<number> {
      const since = now - DAY;
      const found = await (issuedAt > since ? lastNew : lastReturned).get(account, since);
      return found === undefined ? 0 : found - since;
    },
  };
}
