/**
 * Writes of handle, profile and developer access.
 */
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { blobToAddress } from '../values.ts';
import type { Audit } from './audit.ts';
import { liveAccounts } from './live-accounts.ts';

export function profileWrites(database: Database, audit: Audit) {
  const requireLive = liveAccounts(database);
  const findKeeper = database
    .prepare<[string, number], number>('SELECT account_id FROM kept_handle WHERE handle = ? AND until > ?')
    .pluck();
  const forgetKept = database.prepare('DELETE FROM kept_handle WHERE handle = ?');
  const findOwner = database.prepare<[string], { account_id: number }>(
    'SELECT account_id FROM handle WHERE handle = ?',
  );
  // The same handle again keeps its age and its mark of verification; another one begins again.
  const upsertHandle = database.prepare(
    `INSERT INTO handle (account_id, handle, is_public, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO UPDATE SET
       verified = iif(handle = excluded.handle, verified, 0),
       created_at = iif(handle = excluded.handle, created_at, excluded.created_at),
       handle = excluded.handle,
       is_public = excluded.is_public`,
  );
  const removeText = database.prepare('DELETE FROM handle_text WHERE rowid = ?');
  const insertText = database.prepare('INSERT INTO handle_text (rowid, handle) VALUES (?, ?)');
  const setName = database.prepare('UPDATE account SET display_name = ? WHERE id = ?');
  const setAccess = database.prepare<[number, number, number], { address: Buffer }>(
    'UPDATE account SET developer_api = ? WHERE id = ? AND developer_api <> ? RETURNING address',
  );
  const findApiKeys = database.prepare<[number], { public_id: string }>(
    "SELECT public_id FROM credential WHERE account_id = ? AND type = 'api_key'",
  );

  return {
    claimHandle(account: AccountKey, handle: string, isPublic: boolean, now: number): boolean {
      const owner = findOwner.get(handle);
      requireLive(account);
      if (owner && owner.account_id !== account) return false;
      if ((findKeeper.get(handle, now) ?? account) !== account) return false;
      forgetKept.run(handle);
      upsertHandle.run(account, handle, isPublic ? 1 : 0, now);
      removeText.run(account);
      if (isPublic) insertText.run(account, handle);
      if (!owner) {
        const detail = { public: isPublic };
        audit({ at: now, actor: account, action: 'handle.claimed', target: `@${handle}`, detail });
      }
      return true;
    },

    setDisplayName(account: AccountKey, displayName: string | null): void {
      requireLive(account);
      setName.run(displayName, account);
    },

    setDeveloperAccess(account: AccountKey, enabled: boolean, now: number): string[] {
      requireLive(account);
      const developerApi = enabled ? 1 : 0;
      const changed = setAccess.get(developerApi, account, developerApi);
      if (changed) {
        const action = enabled ? 'developer_access.unlocked' : 'developer_access.locked';
        audit({ at: now, actor: account, action, target: blobToAddress(changed.address) });
      }
      return enabled ? [] : findApiKeys.all(account).map((row) => row.public_id);
    },
  };
}
