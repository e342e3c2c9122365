/** Writes of the records of blobs. The rules are in src/relay/rules/blobs.ts. */
import {
  type BlobLimits,
  type BlobUsage,
  chargeOf,
  DROP_DELAY,
  FINISHED_LIFE,
  judgeAdopt,
  judgeBegin,
  judgeFinish,
  judgePart,
  UNFINISHED_LIFE,
} from '../../../rules/blobs.ts';
import type {
  BeginOutcome,
  BlobKey,
  BlobRecord,
  BlobToBegin,
  ClaimOutcome,
  PartOutcome,
  StoredPart,
} from '../../blob-records.ts';
import type { AccountKey } from '../../records.ts';
import { blobRows } from '../blob-rows.ts';
import { type Database, inserted, type SqlValue } from '../database.ts';
import { toBlob } from '../values.ts';
import { liveAccounts } from './live-accounts.ts';

/** The most claims that one expiry deletes, so that it never blocks the writer for long. */
const EXPIRY_BATCH = 200;
/** The usage row for all blobs at the relay. */
const ALL = 0;

export function blobWrites(database: Database) {
  const rows = blobRows(database);
  const { requireLive } = liveAccounts(database);
  const insertBlob = database
    .prepare<SqlValue[], number>('INSERT INTO blob (public_id, object, size) VALUES (?, ?, ?) RETURNING id')
    .pluck();
  const deleteBlob = database.prepare('DELETE FROM blob WHERE id = ?');
  const nameUpload = database.prepare('UPDATE blob SET upload = ? WHERE id = ? AND upload IS NULL');
  const findUpload = database
    .prepare<[number], string | null>('SELECT upload FROM blob WHERE id = ?')
    .pluck();
  const finishBlob = database.prepare('UPDATE blob SET finished = 1 WHERE id = ?');
  const insertPart = database.prepare(
    'INSERT INTO blob_part (blob_id, part, digest, tag) VALUES (?, ?, ?, ?)',
  );
  const deleteParts = database.prepare('DELETE FROM blob_part WHERE blob_id = ?');
  const saveClaim = database.prepare(
    `INSERT INTO blob_claim (blob_id, account_id, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (blob_id, account_id) DO UPDATE SET expires_at = excluded.expires_at`,
  );
  const deleteClaim = database.prepare('DELETE FROM blob_claim WHERE blob_id = ? AND account_id = ?');
  const anyClaim = database
    .prepare<[number], number>('SELECT 1 FROM blob_claim WHERE blob_id = ? LIMIT 1')
    .pluck();
  const claimsOf = database
    .prepare<[number], number>('SELECT account_id FROM blob_claim WHERE blob_id = ?')
    .pluck();
  const expiredClaims = database.prepare<[number], { blob_id: number; account_id: number }>(
    `SELECT blob_id, account_id FROM blob_claim WHERE expires_at <= ?
      ORDER BY expires_at, blob_id, account_id LIMIT ${EXPIRY_BATCH}`,
  );
  const readUsage = database.prepare<[number], { bytes: number; unfinished: number }>(
    'SELECT bytes, unfinished FROM blob_usage WHERE account_id = ?',
  );
  const changeUsage = database.prepare(
    `INSERT INTO blob_usage (account_id, bytes, unfinished) VALUES (?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE SET bytes = blob_usage.bytes + excluded.bytes,
                                              unfinished = blob_usage.unfinished + excluded.unfinished`,
  );
  const forgetUsage = database.prepare(
    'DELETE FROM blob_usage WHERE account_id = ? AND bytes = 0 AND unfinished = 0',
  );
  const insertDrop = database.prepare(
    'INSERT INTO blob_bytes_to_drop (object, upload, size, account_id, drop_after) VALUES (?, ?, ?, ?, ?)',
  );
  const deleteDrop = database.prepare<[number], { size: number; account_id: number }>(
    'DELETE FROM blob_bytes_to_drop WHERE id = ? RETURNING size, account_id',
  );

  async function usageOf(account: AccountKey): Promise<BlobUsage> {
    const own = await readUsage.get(account);
    return {
      accountBytes: own?.bytes ?? 0,
      unfinished: own?.unfinished ?? 0,
      storedBytes: (await readUsage.get(ALL))?.bytes ?? 0,
    };
  }

  async function count(account: AccountKey, bytes: number, unfinished = 0): Promise<void> {
    await changeUsage.run(account, bytes, unfinished);
    await forgetUsage.run(account);
  }

  /**
   * Ends a claim. With the last claim the blob is deleted. Its bytes count for that account until they are deleted,
   * too.
   */
  async function endClaim(blob: BlobRecord, account: AccountKey, now: number): Promise<void> {
    const { changes } = await deleteClaim.run(blob.key, account);
    if (changes === 0) return;
    if (!blob.finished) await count(account, 0, -1);
    if (await anyClaim.get(blob.key)) {
      await count(account, -chargeOf(blob.size));
      return;
    }
    await deleteParts.run(blob.key);
    await deleteBlob.run(blob.key);
    await insertDrop.run(blob.object, blob.upload, blob.size, account, now + DROP_DELAY);
  }

  async function begin(
    { id, account, size, object, now }: BlobToBegin,
    before: BlobRecord | null,
  ): Promise<void> {
    // Expired: new data is not part of it.
    if (before) for (const owner of await claimsOf.all(before.key)) await endClaim(before, owner, now);
    const key = await inserted(insertBlob.get(toBlob(id), object, size));
    await saveClaim.run(key, account, now + UNFINISHED_LIFE);
    await count(account, chargeOf(size), 1);
    await count(ALL, chargeOf(size));
  }

  async function claimUntil(blob: BlobRecord, account: AccountKey, expiresAt: number): Promise<ClaimOutcome> {
    await saveClaim.run(blob.key, account, expiresAt);
    return { status: 'claimed', size: blob.size, expiresAt };
  }

  return {
    async beginBlob(request: BlobToBegin): Promise<BeginOutcome> {
      const { id, account, limits } = request;
      const publicId = toBlob(id);
      await requireLive(account);
      const known = await rows.byPublicId(publicId, account);
      const verdict = judgeBegin(known, request, await usageOf(account), limits);
      if (verdict.deed === 'refuse') return { status: 'refused', refusal: verdict.refusal };
      if (verdict.deed === 'begin') await begin(request, known);
      const blob = await rows.byPublicId(publicId, account);
      if (!blob) throw new Error('a blob that was just begun is not there');
      return { status: verdict.deed === 'begin' ? 'begun' : 'resumed', blob };
    },

    async nameUpload(key: BlobKey, upload: string): Promise<string | null> {
      await nameUpload.run(upload, key);
      return (await findUpload.get(key)) ?? null;
    },

    async recordPart(key: BlobKey, account: AccountKey, part: StoredPart, now: number): Promise<PartOutcome> {
      const blob = await rows.byKey(key, account);
      const stored = blob?.parts.find((one) => one.part === part.part) ?? null;
      const verdict = judgePart(blob, stored?.digest ?? null, part.digest, now);
      if (verdict.deed === 'refuse') return { status: 'refused', refusal: verdict.refusal };
      if (verdict.deed === 'store') await insertPart.run(key, part.part, part.digest, part.tag);
      const counts = verdict.deed === 'store' || stored?.tag === part.tag;
      return { status: counts ? 'stored' : 'passed over' };
    },

    async finishBlob(key: BlobKey, account: AccountKey, now: number): Promise<ClaimOutcome> {
      const blob = await rows.byKey(key, account);
      const verdict = judgeFinish(blob, now);
      if (verdict.deed === 'refuse') return { status: 'refused', refusal: verdict.refusal };
      if (!blob) throw new Error('a blob that is not there cannot be finished');
      if (verdict.deed === 'keep') {
        return { status: 'claimed', size: blob.size, expiresAt: blob.claimedUntil ?? now };
      }
      await finishBlob.run(key);
      await count(account, 0, -1);
      return claimUntil(blob, account, now + FINISHED_LIFE);
    },

    async adoptBlob(id: string, account: AccountKey, now: number, limits: BlobLimits): Promise<ClaimOutcome> {
      await requireLive(account);
      const blob = await rows.byPublicId(toBlob(id), account);
      const verdict = judgeAdopt(blob, now, await usageOf(account), limits);
      if (verdict.deed === 'refuse') return { status: 'refused', refusal: verdict.refusal };
      if (!blob) throw new Error('a blob that is not there cannot be adopted');
      if (verdict.deed === 'claim') await count(account, chargeOf(blob.size));
      return claimUntil(blob, account, now + FINISHED_LIFE);
    },

    async dropClaim(id: string, account: AccountKey, now: number): Promise<void> {
      const blob = await rows.byPublicId(toBlob(id), account);
      if (blob) await endClaim(blob, account, now);
    },

    async expireClaims(now: number): Promise<boolean> {
      const claims = await expiredClaims.all(now);
      for (const { blob_id, account_id } of claims) {
        const blob = await rows.byKey(blob_id, account_id);
        if (blob) await endClaim(blob, account_id, now);
      }
      return claims.length === EXPIRY_BATCH;
    },

    async forgetBytes(key: number): Promise<void> {
      const dropped = await deleteDrop.get(key);
      if (!dropped) return;
      const charge = chargeOf(dropped.size);
      await count(dropped.account_id, -charge);
      await count(ALL, -charge);
    },
  };
}
