/** Free space inside the cache's file, as after the removal of a chat: it is returned to the disk in slices. */

import { isDiskFull } from '../../base/node/disk-full.ts';
import type { Cache } from './database.ts';

/** Free space that stays for later messages, in bytes. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** The same as a part of the file. */
const KEPT_PART = 1 / 8;
/** Pages of a slice: some milliseconds. */
const SLICE_PAGES = 64;

/**
 * Returns some free pages at the end of the file, after moving used ones to free places. Source:
 * https://sqlite.org/pragma.html#pragma_incremental_vacuum.
 * @returns whether more may be left to return. False on a full disk: moving pages needs room in the write-ahead log
 */
export function returnFreeSpace(db: Cache): boolean {
  const free = count(db, 'freelist_count');
  const kept = Math.max(KEPT_BYTES / count(db, 'page_size'), count(db, 'page_count') * KEPT_PART);
  if (free <= kept) return false;
  try {
    db.exec(`PRAGMA incremental_vacuum(${SLICE_PAGES})`);
  } catch (error) {
    if (isDiskFull(error)) return false;
    throw error;
  }
  return count(db, 'freelist_count') < free;
}

function count(db: Cache, name: 'freelist_count' | 'page_count' | 'page_size'): number {
  return db.prepare(`PRAGMA ${name}`).pluck().get() as number;
}
