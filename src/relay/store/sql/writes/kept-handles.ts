/**
 * Previous handles of accounts. Without a reservation a stranger could claim the handle that a person has just given
 * up, and be taken for that person.
 */
import { HANDLE_KEPT, KEPT_HANDLES } from '../../../../protocol/figures.ts';
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

const DAY = 24 * 3_600_000;

export function keptHandles(database: Database) {
  const findKeeper = database
    .prepare<[string, number], number>('SELECT account_id FROM kept_handle WHERE handle = ? AND until > ?')
    .pluck();
  const release = database.prepare('DELETE FROM kept_handle WHERE handle = ?');
  // Makes room before the insertion, so that the new one stays although two were given up at the same time.
  const makeRoom = database.prepare(
    `DELETE FROM kept_handle WHERE days <= ? AND handle IN (
       SELECT handle FROM kept_handle WHERE account_id = ?
        ORDER BY days DESC, until DESC, handle LIMIT ${KEPT_HANDLES} OFFSET ${KEPT_HANDLES - 1})`,
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM kept_handle WHERE account_id = ?')
    .pluck();
  const findCurrent = database.prepare<[number], { handle: string; created_at: number }>(
    'SELECT handle, created_at FROM handle WHERE account_id = ?',
  );
  const reserve = database.prepare(
    'INSERT INTO kept_handle (handle, account_id, days, until) VALUES (?, ?, ?, ?)',
  );

  return {
    /** True if a handle is reserved for an account other than this one. */
    async isKeptFromOthers(handle: string, account: AccountKey, now: number): Promise<boolean> {
      return ((await findKeeper.get(handle, now)) ?? account) !== account;
    },

    /** Ends the reservation of a handle. */
    async release(handle: string): Promise<void> {
      await release.run(handle);
    },

    /**
     * Reserves the current handle of an account, which it is about to lose, unless it had the reserved ones for more days:
     * otherwise a stolen device could free a known handle by a few claims.
     */
    async reserveCurrent(account: AccountKey, now: number): Promise<void> {
      const current = await findCurrent.get(account);
      if (current === undefined) return;
      const days = Math.max(0, Math.floor((now - current.created_at) / DAY));
      await makeRoom.run(days, account);
      if (((await count.get(account)) ?? 0) >= KEPT_HANDLES) return;
      await reserve.run(current.handle, account, days, now + HANDLE_KEPT);
    },
  };
}
