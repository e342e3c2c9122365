/**
 * Reads of what is known of blobs.
 */
import type { BlobRecord, BytesToDrop } from '../../blob-records.ts';
import type { AccountKey } from '../../records.ts';
import { blobRows } from '../blob-rows.ts';
import type { Database } from '../database.ts';
import { toBlob } from '../values.ts';

export function blobReads(database: Database) {
  const rows = blobRows(database);
  const bytesToDrop = database.prepare<[number, number, number], BytesToDrop>(
    'SELECT id AS key, object, upload FROM blob_bytes_to_drop WHERE id > ? AND drop_after <= ? ORDER BY id LIMIT ?',
  );
  const stored = database.prepare<[], number>('SELECT bytes FROM blob_usage WHERE account_id = 0').pluck();
  return {
    /** Of several statements, to be read in one moment. */
    findBlob: (id: string, account: AccountKey): Promise<BlobRecord | null> =>
      rows.byPublicId(toBlob(id), account),
    findBytesToDrop: async (now: number, after: number, limit: number): Promise<BytesToDrop[]> =>
      bytesToDrop.all(after, now, limit),
    storedBlobBytes: async (): Promise<number> => (await stored.get()) ?? 0,
  };
}
