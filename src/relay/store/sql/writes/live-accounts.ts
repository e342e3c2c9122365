/** Accounts that were not deleted. A call whose account is deleted while it waits for its turn writes nothing. */
import { AccountGone, type AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

export function liveAccounts(database: Database) {
  const isDeleted = database
    .prepare<[number], number>('SELECT 1 FROM account WHERE id = ? AND deleted_at IS NOT NULL')
    .pluck();
  const isLive = async (account: AccountKey) => (await isDeleted.get(account)) === undefined;
  return {
    isLive,
    /** @throws AccountGone if the account of the caller was deleted */
    async requireLive(account: AccountKey): Promise<void> {
      if (!(await isLive(account))) throw new AccountGone();
    },
  };
}
