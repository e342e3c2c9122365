/** The cache's write-ahead log: its durability, its transfer to the file, and its erasure. */

import type Database from 'better-sqlite3-multiple-ciphers';

type Cache = Database.Database;

/** Pages in the log that are moved together: about 5 ms. */
const PAGES_TO_MOVE = 200;
/** Pages in the log, 16 MiB, that a commit moves by itself: the log is bounded, also if {@link moveLog} is not called. */
export const MAX_LOG_PAGES = 4_000;

/** Removes deleted rows from the log. In the file, `secure_delete` overwrites them. */
export function eraseTraces(db: Cache): void {
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
}

/**
 * Moves committed pages from the log to the file if there are at least {@link PAGES_TO_MOVE}: in slices of their own, since a commit
 * that moves them takes three times as long. Sources:
 * https://sqlite.org/wal.html, chapter 2.1; https://sqlite.org/pragma.html#pragma_wal_checkpoint.
 * @returns whether it moved them
 */
export function moveLog(db: Cache): boolean {
  const state = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').get();
  if (!state || state.log - state.checkpointed < PAGES_TO_MOVE) return false;
  db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  return true;
}

/**
 * Runs transactions whose commits do not wait for the disk: a power cut may undo the last of them, in order, and only with all
 * later ones. For work that is then done again. The next other commit makes them durable.
 */
export function withoutSync<T>(db: Cache, work: () => T): T {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** Makes all earlier commits durable. A commit syncs the log only if it changes a page: this one writes the first page again. */
export function sync(db: Cache): void {
  const version = db.prepare('PRAGMA user_version').pluck().get();
  db.exec(`PRAGMA user_version = ${version}`);
}
