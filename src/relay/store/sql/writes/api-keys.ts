/** Writes of API keys. */
import type { AccountKey, ApiKeyOutcome, NewApiKey } from '../../records.ts';
import type { Database } from '../database.ts';
import type { Audit } from './audit.ts';
import { listedCredentials, makingSession } from './listed-credentials.ts';

export function apiKeyWrites(database: Database, audit: Audit) {
  const listed = listedCredentials(database);
  const findSession = makingSession(database);
  const insertKey = database.prepare(
    `INSERT INTO credential
       (public_id, digest, type, account_id, device_id, name, prefix, entitlements, created_at, expires_at)
     VALUES (?, ?, 'api_key', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const revoke = database.prepare(
    `UPDATE credential SET revoked_at = ?
      WHERE public_id = ? AND account_id = ? AND type = 'api_key' AND revoked_at IS NULL`,
  );
  const findApiKey = database.prepare<[string, number], { public_id: string }>(
    "SELECT public_id FROM credential WHERE public_id = ? AND account_id = ? AND type = 'api_key'",
  );

  return {
    async createApiKey(key: NewApiKey, most: number): Promise<ApiKeyOutcome> {
      const session = await findSession(key.session);
      if (!session) return 'session_ended';
      if ((await listed.countWorking(key.account, 'api_key', key.createdAt)) >= most) return 'full';
      await insertKey.run(
        key.id,
        key.digest,
        key.account,
        session.device_id,
        key.name,
        key.prefix,
        key.entitlements.join(' '),
        key.createdAt,
        key.expiresAt,
      );
      const { id, account, createdAt, entitlements, expiresAt } = key;
      const detail = { entitlements, expiresAt };
      await audit({ at: createdAt, actor: account, action: 'api_key.created', target: id, detail });
      await listed.forgetEnded(account, 'api_key', createdAt);
      return 'made';
    },

    async revokeApiKey(account: AccountKey, id: string, now: number): Promise<boolean> {
      if ((await revoke.run(now, id, account)).changes === 0)
        return (await findApiKey.get(id, account)) !== undefined;
      await audit({ at: now, actor: account, action: 'api_key.revoked', target: id });
      await listed.forgetEnded(account, 'api_key', now);
      return true;
    },
  };
}
