/** Reads of the records of blobs. */
import type { BlobRecord, BytesToDrop, KnownBytes } from '../../blob-records.ts';
import type { AccountKey } from '../../records.ts';
import { blobRows } from '../blob-rows.ts';
import type { Database } from '../database.ts';
import { toBlob } from '../values.ts';

export function blobReads(database: Database) {
  const rows = blobRows(database);
  const bytesToDrop = database.prepare<[number, number, number], BytesToDrop>(
    'SELECT id AS key, object, upload FROM blob_bytes_to_drop WHERE id > ? AND drop_after <= ? ORDER BY id LIMIT ?',
  );
  const known = database.prepare<
    [string, string, string, string],
    { object: string; tag: string | null; dropping: number }
  >(
    `SELECT blob.object, blob_part.tag, 0 AS dropping
       FROM blob LEFT JOIN blob_part ON blob_part.blob_id = blob.id
      WHERE blob.object >= ? AND blob.object < ?
     UNION ALL
     SELECT object, NULL, 1 FROM blob_bytes_to_drop WHERE object >= ? AND object < ?`,
  );
  const stored = database.prepare<[], number>('SELECT bytes FROM blob_usage WHERE account_id = 0').pluck();
  return {
    /** Several statements, to run at one moment. */
    findBlob: (id: string, account: AccountKey): Promise<BlobRecord | null> =>
      rows.byPublicId(toBlob(id), account),
    findBytesToDrop: async (now: number, after: number, limit: number): Promise<BytesToDrop[]> =>
      bytesToDrop.all(after, now, limit),
    findKnownBytes: async (prefix: string): Promise<KnownBytes[]> => {
      // After all hexadecimal digits.
      const end = `${prefix}g`;
      const rows = await known.all(prefix, end, prefix, end);
      return rows.map(({ object, tag, dropping }) => ({ object, tag, isToDrop: dropping === 1 }));
    },
    storedBlobBytes: async (): Promise<number> => (await stored.get()) ?? 0,
  };
}
