/**
 * Rows of blobs as records.
 */
import type { BlobRecord, StoredPart } from '../blob-records.ts';
import type { AccountKey } from '../records.ts';
import type { Database } from './database.ts';

interface BlobRow {
  id: number;
  object: string;
  upload: string | null;
  size: number;
  finished: number;
  expires_at: number | null;
  claimed_until: number | null;
}

/** Look-ups of blobs, shared by reads and writes. */
export function blobRows(database: Database) {
  const blob = (condition: string) =>
    `SELECT id, object, upload, size, finished,
            (SELECT max(expires_at) FROM blob_claim WHERE blob_id = blob.id) AS expires_at,
            (SELECT expires_at FROM blob_claim WHERE blob_id = blob.id AND account_id = ?) AS claimed_until
       FROM blob WHERE ${condition}`;
  const byPublicId = database.prepare<[number, Buffer], BlobRow>(blob('public_id = ?'));
  const byKey = database.prepare<[number, number], BlobRow>(blob('id = ?'));
  const parts = database.prepare<[number], StoredPart>(
    'SELECT part, digest, tag FROM blob_part WHERE blob_id = ? ORDER BY part',
  );

  async function toRecord(row: BlobRow | undefined): Promise<BlobRecord | null> {
    if (!row) return null;
    return {
      key: row.id,
      object: row.object,
      upload: row.upload,
      size: row.size,
      finished: row.finished === 1,
      expiresAt: row.expires_at ?? 0,
      claimedUntil: row.claimed_until,
      parts: await parts.all(row.id),
    };
  }

  return {
    byPublicId: async (id: Buffer, account: AccountKey) => toRecord(await byPublicId.get(account, id)),
    byKey: async (key: number, account: AccountKey) => toRecord(await byKey.get(account, key)),
  };
}
