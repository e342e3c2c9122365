/**
 * Writes of handle, profile and developer access.
 */
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { blobToAddress } from '../values.ts';
import type { Audit } from './audit.ts';
import { keptHandles } from './kept-handles.ts';
import { liveAccounts } from './live-accounts.ts';
import { nameParts } from './name-parts.ts';

export function profileWrites(database: Database, audit: Audit) {
  const { requireLive } = liveAccounts(database);
  const kept = keptHandles(database);
  const findOwner = database.prepare<[string], { account_id: number }>(
    'SELECT account_id FROM handle WHERE handle = ?',
  );
  // The same handle again keeps its age and its mark of verification; another one starts without both.
  const upsertHandle = database.prepare(
    `INSERT INTO handle (account_id, handle, is_public, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO UPDATE SET
       verified = CASE WHEN handle.handle = excluded.handle THEN handle.verified ELSE 0 END,
       created_at = CASE WHEN handle.handle = excluded.handle THEN handle.created_at ELSE excluded.created_at END,
       handle = excluded.handle,
       is_public = excluded.is_public`,
  );
  const setName = database.prepare('UPDATE account SET display_name = ? WHERE id = ?');
  const parts = nameParts(database);
  const setAccess = database.prepare<[number, number, number], { address: Buffer }>(
    'UPDATE account SET developer_api = ? WHERE id = ? AND developer_api <> ? RETURNING address',
  );
  const findApiKeys = database.prepare<[number], { public_id: string }>(
    "SELECT public_id FROM credential WHERE account_id = ? AND type = 'api_key'",
  );

  return {
    async claimHandle(account: AccountKey, handle: string, isPublic: boolean, now: number): Promise<boolean> {
      const owner = await findOwner.get(handle);
      await requireLive(account);
      if (owner && owner.account_id !== account) return false;
      if (await kept.isKeptFromOthers(handle, account, now)) return false;
      await kept.release(handle);
      if (!owner) await kept.reserveCurrent(account, now);
      await upsertHandle.run(account, handle, isPublic ? 1 : 0, now);
      await parts.renew(account);
      if (!owner) {
        const detail = { public: isPublic };
        await audit({ at: now, actor: account, action: 'handle.claimed', target: `@${handle}`, detail });
      }
      return true;
    },

    async setDisplayName(account: AccountKey, displayName: string | null): Promise<void> {
      await requireLive(account);
      await setName.run(displayName, account);
      await parts.renew(account);
    },

    async setDeveloperAccess(account: AccountKey, enabled: boolean, now: number): Promise<string[]> {
      await requireLive(account);
      const developerApi = enabled ? 1 : 0;
      const changed = await setAccess.get(developerApi, account, developerApi);
      if (changed) {
        const action = enabled ? 'developer_access.unlocked' : 'developer_access.locked';
        await audit({ at: now, actor: account, action, target: blobToAddress(changed.address) });
      }
      return enabled ? [] : (await findApiKeys.all(account)).map((row) => row.public_id);
    },
  };
}
