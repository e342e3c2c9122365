/**
 * Deletion of an account: request, cancellation, execution. The account's row, its device lists, its memberships
 * and its sent mail remain: old signatures and the histories of others need them.
 */
import type { DeletionOutcome, EndedAccount } from '../../account-records.ts';
import type { AccountKey, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { blobToAddress } from '../values.ts';
import type { Audit, AuditEntry } from './audit.ts';
import { deviceRows, type KeyHolder } from './device-rows.ts';
import { keptHandles } from './kept-handles.ts';
import { nameParts } from './name-parts.ts';

export function accountEndWrites(database: Database, audit: Audit) {
  const devices = deviceRows(database);
  const parts = nameParts(database);
  const kept = keptHandles(database);
  const ownsGroup = database
    .prepare<[number], number>(
      `SELECT 1 FROM chat_group JOIN member ON member.group_id = chat_group.id AND member.account_id = creator_id
        WHERE creator_id = ? AND member_count > 1 LIMIT 1`,
    )
    .pluck();
  const findAccount = database.prepare<
    [number],
    { address: Buffer; deletes_at: number | null; deleted_at: number | null }
  >('SELECT address, deletes_at, deleted_at FROM account WHERE id = ?');
  const findDue = database
    .prepare<[number], number>('SELECT id FROM account WHERE deletes_at <= ? ORDER BY deletes_at, id LIMIT 1')
    .pluck();
  const setDeletesAt = database.prepare('UPDATE account SET deletes_at = ? WHERE id = ?');
  const endAccount = database.prepare(
    `UPDATE account SET display_name = NULL, developer_api = 0, deletes_at = NULL, deleted_at = ? WHERE id = ?`,
  );
  const deleteHandle = database.prepare('DELETE FROM handle WHERE account_id = ?');
  const deleteCredentials = database
    .prepare<[number], string>('DELETE FROM credential WHERE account_id = ? RETURNING public_id')
    .pluck();
  const endClaims = database.prepare(
    'UPDATE blob_claim SET expires_at = ? WHERE account_id = ? AND expires_at > ?',
  );
  const deleteReports = database.prepare('DELETE FROM report WHERE reporter_id = ?');
  const deleteInvitations = database.prepare('DELETE FROM account_invitation WHERE maker_id = ?');
  const readDevices = database.prepare<[number], KeyHolder>(
    'SELECT id, seal_key FROM device WHERE account_id = ?',
  );

  async function record(account: AccountKey, action: AuditEntry['action'], now: number): Promise<void> {
    const row = await findAccount.get(account);
    if (row) await audit({ at: now, actor: account, action, target: blobToAddress(row.address) });
  }

  async function end(account: AccountKey, now: number): Promise<EndedAccount> {
    await record(account, 'account.deleted', now);
    await kept.reserveCurrent(account, now);
    await deleteHandle.run(account);
    await parts.renew(account);
    await deleteInvitations.run(account);
    await deleteReports.run(account);
    // Revoked now; the expiry job deletes the rows.
    await endClaims.run(now, account, now);
    const queues: QueueKey[] = [];
    for (const device of await readDevices.all(account)) {
      await devices.remove(device, account, now);
      queues.push(device.id);
    }
    const credentials = await deleteCredentials.all(account);
    await endAccount.run(now, account);
    return { credentials, queues };
  }

  return {
    async deleteAccount(
      account: AccountKey,
      deletesAt: number | null,
      now: number,
    ): Promise<DeletionOutcome> {
      const row = await findAccount.get(account);
      if (!row || row.deleted_at !== null) return { status: 'deleted', credentials: [], queues: [] };
      if (await ownsGroup.get(account)) return { status: 'owns_groups' };
      if (deletesAt === null) return { status: 'deleted', ...(await end(account, now)) };
      if (row.deletes_at !== null) return { status: 'waiting', deletesAt: row.deletes_at };
      await setDeletesAt.run(deletesAt, account);
      await record(account, 'account.deletion_requested', now);
      return { status: 'waiting', deletesAt };
    },

    async cancelDeletion(account: AccountKey, now: number): Promise<void> {
      const row = await findAccount.get(account);
      if (!row || row.deletes_at === null) return;
      await setDeletesAt.run(null, account);
      await record(account, 'account.deletion_cancelled', now);
    },

    async deleteDueAccount(now: number): Promise<EndedAccount | null> {
      const account = await findDue.get(now);
      return account === undefined ? null : await end(account, now);
    },
  };
}
