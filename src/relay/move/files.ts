/** The files of people. They are stored beside the database, so a move leaves them in place. */
import { existsSync } from 'node:fs';
import { partsOf } from '../../protocol/blob/layout.ts';
import { isInDirectory, UPLOAD } from '../blobs/directory.ts';
import { asSql, type Database } from '../store/sqlite/database.ts';

export interface MovedFiles {
  /** Finished files. */
  count: number;
  /** The number of them in a bucket. */
  inBucket: number;
  /** The number of them in a folder. */
  bytes: number;
  /** The folder of the others; null if it does not exist. */
  folder: string | null;
  /** The number of incomplete ones in the folder. */
  missing: number;
  /** The number without a complete record in the database. */
  broken: number;
}

interface BlobRow {
  id: number;
  object: string;
  upload: string;
  size: number;
}

/** Checks the records of all finished files, and their bytes. */
export async function lookForFiles(database: Database, folder: string): Promise<MovedFiles> {
  const isThere = existsSync(folder);
  const found: MovedFiles = {
    count: 0,
    inBucket: 0,
    bytes: 0,
    folder: isThere ? folder : null,
    missing: 0,
    broken: 0,
  };
  const sql = asSql(database);
  const next = sql.prepare<[number], BlobRow>(
    'SELECT id, object, upload, size FROM blob WHERE id > ? AND finished = 1 ORDER BY id LIMIT 1',
  );
  const tagsOf = sql
    .prepare<[number], string>('SELECT tag FROM blob_part WHERE blob_id = ? ORDER BY part')
    .pluck();
  for (let blob = await next.get(0); blob; blob = await next.get(blob.id)) {
    const tags = await tagsOf.all(blob.id);
    found.count++;
    if (tags.length !== partsOf(blob.size).length) {
      found.broken++;
    } else if (blob.upload !== UPLOAD) {
      found.inBucket++;
    } else {
      found.bytes += blob.size;
      if (!isThere || !(await isInDirectory(folder, { ...blob, tags }))) found.missing++;
    }
  }
  return found;
}
