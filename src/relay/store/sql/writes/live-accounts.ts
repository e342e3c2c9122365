/**
 * Accounts that were not deleted. A call may wait for its turn while another deletes its account: then it writes nothing.
 */
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

/** What requires that an account was not deleted. @throws Error otherwise: the caller finds its credential gone */
export function liveAccounts(database: Database): (account: AccountKey) => Promise<void> {
  const isDeleted = database
    .prepare<[number], number>('SELECT 1 FROM account WHERE id = ? AND deleted_at IS NOT NULL')
    .pluck();
  return async (account) => {
    if (await isDeleted.get(account)) throw new AccountGone();
  };
}

class AccountGone extends Error {
  override readonly name = 'AccountGone';
}
