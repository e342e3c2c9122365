/**
 * Previous handles of accounts. Without a reservation a stranger could claim the handle that a person has just given
 * up, and be taken for that person.
 */
import { HANDLE_KEPT, KEPT_HANDLES } from '../../../../protocol/figures.ts';
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

export function keptHandles(database: Database) {
  const findKeeper = database
    .prepare<[string, number], number>('SELECT account_id FROM kept_handle WHERE handle = ? AND until > ?')
    .pluck();
  const release = database.prepare('DELETE FROM kept_handle WHERE handle = ?');
  // Makes room before the insertion, so that the new one stays although two were given up at the same time.
  const releaseOldest = database.prepare(
    `DELETE FROM kept_handle WHERE handle IN (
       SELECT handle FROM kept_handle WHERE account_id = ? ORDER BY until DESC, handle LIMIT ${KEPT_HANDLES} OFFSET ${KEPT_HANDLES - 1})`,
  );
  const findCurrent = database
    .prepare<[number], string>('SELECT handle FROM handle WHERE account_id = ?')
    .pluck();
  const reserve = database.prepare('INSERT INTO kept_handle (handle, account_id, until) VALUES (?, ?, ?)');

  return {
    /** True if a handle is reserved for an account other than this one. */
    async isKeptFromOthers(handle: string, account: AccountKey, now: number): Promise<boolean> {
      return ((await findKeeper.get(handle, now)) ?? account) !== account;
    },

    /** Ends the reservation of a handle. */
    async release(handle: string): Promise<void> {
      await release.run(handle);
    },

    /** Reserves the current handle of an account, which it is about to lose; ends its oldest reservations. */
    async reserveCurrent(account: AccountKey, now: number): Promise<void> {
      const handle = await findCurrent.get(account);
      if (handle === undefined) return;
      await releaseOldest.run(account);
      await reserve.run(handle, account, now + HANDLE_KEPT);
    },
  };
}
