/** The searchable names of people: only of those with a public handle. */
import { namePartsOf } from '../../../../protocol/name-search.ts';
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';

export function nameParts(database: Database) {
  const forget = database.prepare('DELETE FROM name_part WHERE account_id = ?');
  const publicName = database.prepare<[number], { display_name: string | null }>(
    `SELECT display_name FROM account JOIN handle ON handle.account_id = account.id AND is_public = 1
      WHERE account.id = ?`,
  );
  const insert = database.prepare('INSERT INTO name_part (part, account_id) VALUES (?, ?)');

  return {
    /** Replaces the searchable names of an account by its current ones, if its handle is public. */
    async renew(account: AccountKey): Promise<void> {
      await forget.run(account);
      const row = await publicName.get(account);
      for (const part of namePartsOf(row?.display_name ?? '')) await insert.run(part, account);
    },
  };
}
