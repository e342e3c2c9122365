/** Writes of admissions: an account that could join a group may read its chain for some minutes. */
import type { AccountKey, GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';

/** The most admissions of one account at a time. The next one replaces the one that ends first. */
const MOST = 100;

export function groupAdmissionWrites(database: Database) {
  const findGroup = database.prepare<[number], number>('SELECT id FROM chat_group WHERE id = ?').pluck();
  const save = database.prepare<[number, number, number]>(
    `INSERT INTO group_admission (group_id, account_id, until) VALUES (?, ?, ?)
     ON CONFLICT (group_id, account_id) DO UPDATE SET until = excluded.until`,
  );
  const forgetFirst = database.prepare<[number, number, number]>(
    `DELETE FROM group_admission WHERE account_id = ? AND until <= (
       SELECT until FROM group_admission WHERE account_id = ? ORDER BY until DESC LIMIT 1 OFFSET ?)`,
  );

  return {
    /** Allows an account to read a chain. Does nothing if the group was deleted meanwhile. */
    async admitToGroup(group: GroupKey, account: AccountKey, until: number): Promise<void> {
      if ((await findGroup.get(group)) === undefined) return;
      await save.run(group, account, until);
      await forgetFirst.run(account, account, MOST);
    },
  };
}
