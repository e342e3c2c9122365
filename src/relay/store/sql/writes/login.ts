/** Writes of logins and sessions. */
import { ENTITLEMENTS } from '../../../../protocol/entitlements.ts';
import type { LoginChallenge, LoginResult, NewSession } from '../../records.ts';
import { ALL_ROWS, type Database, inserted, type SqlValue } from '../database.ts';
import { addressToBlob, blobToAddress, toBlob } from '../values.ts';
import { admissionJudge } from './admission.ts';
import type { Audit } from './audit.ts';
import { publishedLists } from './published-list.ts';

/** The most waiting challenges in total. */
const MAX_CHALLENGES = 100_000;

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
  const insertChallenge = database
    .prepare<SqlValue[], number>(
      'INSERT INTO challenge (nonce, address, issued_at, expires_at, network) VALUES (?, ?, ?, ?, ?) RETURNING id',
    )
    .pluck();
  const forgetChallenges = database.prepare<[Buffer, number]>(
    `DELETE FROM challenge WHERE id IN
       (SELECT id FROM challenge WHERE network = ? ORDER BY id DESC LIMIT ${ALL_ROWS} OFFSET ?)`,
  );
  const forgetOldest = database.prepare<[number]>('DELETE FROM challenge WHERE id <= ?');
  const consumeChallengeRow = database.prepare<[string], ChallengeRow>(
    'DELETE FROM challenge WHERE nonce = ? RETURNING address, issued_at, expires_at',
  );
  const judge = admissionJudge(database);
  const insertAccount = database
    .prepare<SqlValue[], number>('INSERT INTO account (address, created_at) VALUES (?, ?) RETURNING id')
    .pluck();
  const findAccount = database.prepare<[Buffer], AccountRow>(
    'SELECT id, suspended_at, deleted_at FROM account WHERE address = ?',
  );
  const reopen = database.prepare('UPDATE account SET deleted_at = NULL WHERE id = ?');
  const lists = publishedLists(database);
  const insertRenewal = database.prepare(
    'INSERT INTO renewal (account_id, device_id, issued_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertSession = database.prepare(
    `INSERT INTO credential (public_id, digest, type, account_id, device_id, entitlements, created_at, expires_at)
     VALUES (?, ?, 'session', ?, ?, ?, ?, ?)`,
  );
  const endOldest = database
    .prepare<[number, Buffer | null, number], string>(
      `DELETE FROM credential WHERE id IN
         (SELECT id FROM credential WHERE account_id = ? AND type = 'session' AND device_id IS NOT DISTINCT FROM ?
           ORDER BY id DESC LIMIT ${ALL_ROWS} OFFSET ?)
       RETURNING public_id`,
    )
    .pluck();
  const deleteSessionRow = database.prepare(
    "DELETE FROM credential WHERE public_id = ? AND type = 'session'",
  );
  const touch = database.prepare('UPDATE credential SET last_used_at = ? WHERE public_id = ?');

  /** Creates the account of an address, if it is admitted. */
  async function open(address: Buffer, { admission, createdAt }: NewSession): Promise<Refusal | null> {
    const verdict = await judge(address, admission, createdAt);
    if (verdict.status !== 'admitted') return verdict.status;
    const account = await inserted(insertAccount.get(address, createdAt));
    if (verdict.invitation === null) return null;
    await audit({ at: createdAt, actor: account, action: 'invitation.spent', target: verdict.invitation });
    return null;
  }

  return {
    async saveChallenge(challenge: LoginChallenge, networkName: string | null, most: number): Promise<void> {
      const network = networkName === null ? null : toBlob(networkName);
      const id = await inserted(
        insertChallenge.get(
          challenge.nonce,
          addressToBlob(challenge.address),
          challenge.issuedAt,
          challenge.expiresAt,
          network,
        ),
      );
      if (network) await forgetChallenges.run(network, most);
      await forgetOldest.run(id - MAX_CHALLENGES);
    },

    async consumeChallenge(nonce: string): Promise<LoginChallenge | null> {
      const row = await consumeChallengeRow.get(nonce);
      if (!row) return null;
      const address = blobToAddress(row.address);
      return { nonce, address, issuedAt: row.issued_at, expiresAt: row.expires_at };
    },

    async createSession(session: NewSession, most: number): Promise<LoginResult> {
      const address = addressToBlob(session.address);
      if (!session.renewal && !(await findAccount.get(address))) {
        const refusal = await open(address, session);
        if (refusal) return { status: refusal };
      }
      const found = await findAccount.get(address);
      if (!found) return { status: 'refused' };
      if (found.suspended_at !== null) return { status: 'suspended' };
      const account = found.id;
      if (found.deleted_at !== null) {
        if (session.renewal || !session.reopens) return { status: 'deleted' };
        await reopen.run(account);
        await audit({
          at: session.createdAt,
          actor: account,
          action: 'account.returned',
          target: session.address,
        });
      }
      const deviceId = session.renewal ? toBlob(session.renewal.deviceId) : null;
      if (session.renewal && deviceId) {
        const { renewal } = session;
        // A listed device is enough: it logs in before it has published a seal key.
        if (!(await lists.listedDevices(account)).has(renewal.deviceId)) return { status: 'refused' };
        if ((await insertRenewal.run(account, deviceId, renewal.issuedAt)).changes === 0)
          return { status: 'refused' };
      }
      await insertSession.run(
        session.id,
        session.digest,
        account,
        deviceId,
        ENTITLEMENTS.session.join(' '),
        session.createdAt,
        session.expiresAt,
      );
      return { status: 'opened', ended: await endOldest.all(account, deviceId, most) };
    },

    async deleteSession(id: string): Promise<void> {
      await deleteSessionRow.run(id);
    },

    async touchCredential(id: string, usedAt: number): Promise<void> {
      await touch.run(usedAt, id);
    },
  };
}
