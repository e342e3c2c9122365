/**
 * Writes of login and credentials.
 */
import { ENTITLEMENTS } from '../../../../protocol/credentials.ts';
import type {
  AccountKey,
  ApiKeyOutcome,
  LoginChallenge,
  LoginResult,
  NewApiKey,
  NewSession,
} from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob, blobToAddress, toBlob } from '../values.ts';
import { admissionJudge } from './admission.ts';
import type { Audit } from './audit.ts';
import { listedCredentials, makingSession } from './listed-credentials.ts';
import { publishedLists } from './published-list.ts';

/** Challenges that wait in all. */
const MOST_CHALLENGES = 100_000;

interface ChallengeRow {
  address: Buffer;
  issued_at: number;
  expires_at: number;
}

type Refusal = Exclude<LoginResult['status'], 'opened'>;

interface AccountRow {
  id: number;
  suspended_at: number | null;
  deleted_at: number | null;
}

export function loginWrites(database: Database, audit: Audit) {
  const listed = listedCredentials(database);
  const insertChallenge = database.prepare('INSERT INTO challenge VALUES (NULL, ?, ?, ?, ?, ?)');
  const forgetChallenges = database.prepare<[Buffer, number]>(
    `DELETE FROM challenge WHERE id IN
       (SELECT id FROM challenge WHERE network = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
  );
  const forgetOldest = database.prepare<[number]>('DELETE FROM challenge WHERE id <= ?');
  const takeChallengeRow = database.prepare<[string], ChallengeRow>(
    'DELETE FROM challenge WHERE nonce = ? RETURNING address, issued_at, expires_at',
  );
  const judge = admissionJudge(database);
  const insertAccount = database.prepare('INSERT INTO account (address, created_at) VALUES (?, ?)');
  const findAccount = database.prepare<[Buffer], AccountRow>(
    'SELECT id, suspended_at, deleted_at FROM account WHERE address = ?',
  );
  const reopen = database.prepare('UPDATE account SET deleted_at = NULL WHERE id = ?');
  const lists = publishedLists(database);
  const insertRenewal = database.prepare('INSERT INTO renewal VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const insertCredential = database.prepare(
    `INSERT INTO credential
       (public_id, digest, type, account_id, device_id, name, prefix, entitlements, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const endOldest = database
    .prepare<[number, Buffer | null, number], string>(
      `DELETE FROM credential WHERE id IN
         (SELECT id FROM credential WHERE account_id = ? AND type = 'session' AND device_id IS ?
           ORDER BY id DESC LIMIT -1 OFFSET ?)
       RETURNING public_id`,
    )
    .pluck();
  const deleteSessionRow = database.prepare(
    "DELETE FROM credential WHERE public_id = ? AND type = 'session'",
  );
  const findSession = makingSession(database);
  const touch = database.prepare('UPDATE credential SET last_used_at = ? WHERE public_id = ?');
  const revoke = database.prepare(
    `UPDATE credential SET revoked_at = ?
      WHERE public_id = ? AND account_id = ? AND type = 'api_key' AND revoked_at IS NULL`,
  );
  const findApiKey = database.prepare<[string, number], { public_id: string }>(
    "SELECT public_id FROM credential WHERE public_id = ? AND account_id = ? AND type = 'api_key'",
  );

  /** Makes the account of an address, if it may have one. */
  function open(address: Buffer, { admission, createdAt }: NewSession): Refusal | null {
    const verdict = judge(address, admission, createdAt);
    if (verdict.status !== 'admitted') return verdict.status;
    const account = Number(insertAccount.run(address, createdAt).lastInsertRowid);
    if (verdict.invitation === null) return null;
    audit({ at: createdAt, actor: account, action: 'invitation.spent', target: verdict.invitation });
    return null;
  }

  return {
    saveChallenge(challenge: LoginChallenge, asker: string | null, most: number): void {
      const network = asker === null ? null : toBlob(asker);
      const { lastInsertRowid } = insertChallenge.run(
        challenge.nonce,
        addressToBlob(challenge.address),
        challenge.issuedAt,
        challenge.expiresAt,
        network,
      );
      if (network) forgetChallenges.run(network, most);
      forgetOldest.run(Number(lastInsertRowid) - MOST_CHALLENGES);
    },

    takeChallenge(nonce: string): LoginChallenge | null {
      const row = takeChallengeRow.get(nonce);
      if (!row) return null;
      const address = blobToAddress(row.address);
      return { nonce, address, issuedAt: row.issued_at, expiresAt: row.expires_at };
    },

    createSession(session: NewSession, most: number): LoginResult {
      const address = addressToBlob(session.address);
      if (!session.renewal && !findAccount.get(address)) {
        const refusal = open(address, session);
        if (refusal) return { status: refusal };
      }
      const found = findAccount.get(address);
      if (!found) return { status: 'refused' };
      if (found.suspended_at !== null) return { status: 'suspended' };
      const account = found.id;
      if (found.deleted_at !== null) {
        if (session.renewal || !session.reopens) return { status: 'deleted' };
        reopen.run(account);
        audit({ at: session.createdAt, actor: account, action: 'account.returned', target: session.address });
      }
      const deviceId = session.renewal ? toBlob(session.renewal.deviceId) : null;
      if (session.renewal && deviceId) {
        const { renewal } = session;
        // Listed is enough: a device logs in before it has published a seal key.
        if (!lists.listedDevices(account).has(renewal.deviceId)) return { status: 'refused' };
        if (insertRenewal.run(account, deviceId, renewal.issuedAt).changes === 0)
          return { status: 'refused' };
      }
      insertCredential.run(
        session.id,
        session.digest,
        'session',
        account,
        deviceId,
        null,
        null,
        ENTITLEMENTS.session.join(' '),
        session.createdAt,
        session.expiresAt,
      );
      return { status: 'opened', ended: endOldest.all(account, deviceId, most) };
    },

    deleteSession(id: string): void {
      deleteSessionRow.run(id);
    },

    touchCredential(id: string, usedAt: number): void {
      touch.run(usedAt, id);
    },

    createApiKey(key: NewApiKey, most: number): ApiKeyOutcome {
      const session = findSession(key.session);
      if (!session) return 'session_ended';
      if (listed.countWorking(key.account, 'api_key', key.createdAt) >= most) return 'full';
      insertCredential.run(
        key.id,
        key.digest,
        'api_key',
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
      audit({ at: createdAt, actor: account, action: 'api_key.created', target: id, detail });
      listed.forgetEnded(account, 'api_key', createdAt);
      return 'made';
    },

    revokeApiKey(account: AccountKey, id: string, now: number): boolean {
      if (revoke.run(now, id, account).changes === 0) return findApiKey.get(id, account) !== undefined;
      audit({ at: now, actor: account, action: 'api_key.revoked', target: id });
      listed.forgetEnded(account, 'api_key', now);
      return true;
    },
  };
}
