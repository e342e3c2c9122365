/**
 * Writes of reports to the operator. They are bounded per account, and by expiry (mail.ts) in total, and deleted
 * once they are settled.
 */
import type { NewReport } from '../../report-records.ts';
import { type Database, inserted, type SqlValue } from '../database.ts';
import { addressToBlob } from '../values.ts';
import type { Audit } from './audit.ts';

/** The most reports of one account at a time. The next one replaces the oldest. */
const MAX_OF_ACCOUNT = 20;

export function reportWrites(database: Database, audit: Audit) {
  const findAccount = database
    .prepare<[Buffer], number>('SELECT id FROM account WHERE address = ? AND deleted_at IS NULL')
    .pluck();
  const findGroup = database
    .prepare<[string], string>('SELECT public_id FROM chat_group WHERE public_id = ?')
    .pluck();
  const forgetSame = database.prepare<[number, number | null, string | null]>(
    'DELETE FROM report WHERE reporter_id = ? AND (account_id = ? OR group_id = ?)',
  );
  const insert = database
    .prepare<SqlValue[], number>(
      `INSERT INTO report (public_id, reporter_id, account_id, group_id, reason, text, reported_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    )
    .pluck();
  const forgetOldest = database.prepare<[number, number, number]>(
    `DELETE FROM report WHERE reporter_id = ? AND id <= (
       SELECT id FROM report WHERE reporter_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  const settle = database.prepare<[string]>('DELETE FROM report WHERE public_id = ?');

  return {
    async saveReport({ id, reporter, about, reason, text, now }: NewReport): Promise<boolean> {
      const isAccount = 'account' in about;
      const account = isAccount ? ((await findAccount.get(addressToBlob(about.account))) ?? null) : null;
      const group = isAccount ? null : ((await findGroup.get(about.group)) ?? null);
      if (account === null && group === null) return false;
      // The text stays out of the log, from which nothing can be deleted.
      const detail = { about: isAccount ? 'account' : 'group', reason };
      await audit({ at: now, actor: reporter, action: 'report.made', target: id, detail });
      await forgetSame.run(reporter, account, group);
      await inserted(insert.get(id, reporter, account, group, reason, text, now));
      await forgetOldest.run(reporter, reporter, MAX_OF_ACCOUNT);
      return true;
    },

    async resolveReport(id: string, now: number): Promise<boolean> {
      if ((await settle.run(id)).changes === 0) return false;
      await audit({ at: now, actor: 'operator', action: 'report.resolved', target: id });
      return true;
    },
  };
}
