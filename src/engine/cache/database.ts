/**
 * The encrypted cache: one SQLite file, every page sealed with ChaCha20-Poly1305, opened by one process at a time.
 */

import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { describe } from '../../base/error-facts.ts';
import { Failure } from '../../base/failure.ts';
import { log, stopwatch } from '../../base/log.ts';
import { isDiskFull } from '../../base/node/disk-full.ts';
import { migrations } from './migrations.ts';

export type Cache = Database.Database;

export const CACHE_FILE = 'cache.db';
/** Pages in the write-ahead log that are moved together: about 5 ms. */
const PAGES_TO_MOVE = 200;
/** Pages in the log, 16 MiB, that a commit moves by itself: the log is bounded, also if {@link moveLog} is not called. */
const MAX_LOG_PAGES = 4_000;
/** Free space inside the file below which it is not rewritten, in bytes. */
const WORTH_GIVING_BACK = 4 * 1024 * 1024;
/**
 * Content above which the file is not rewritten, in bytes. Rewriting delays the start, by a second for 20 MB on a slow computer, and
 * needs as much memory. Free space is used again by later messages.
 */
const MOST_TO_REWRITE = 64 * 1024 * 1024;

/**
 * Opens the cache in a folder, creating or migrating it as needed.
 * @param folder made with mode 0700
 * @param key 32 bytes
 * @throws Failure if another process has it open, the key is wrong, or a newer version wrote it
 */
export function openCache(folder: string, key: Uint8Array): Cache {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, CACHE_FILE);
  const ms = stopwatch();
  const db = new Database(path, { timeout: 0 });
  try {
    db.pragma(`cipher='chacha20'`);
    db.pragma(`key='raw:${Buffer.from(key).toString('hex')}'`);
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    // NORMAL, the default in WAL mode, loses committed rows in a power cut.
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.pragma('temp_store = MEMORY');
    db.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    // A migration may rebuild a table. Without this, rows that refer to it would be deleted too.
    db.pragma('foreign_keys = OFF');
    migrate(db);
    shrinkFile(db);
    db.pragma('foreign_keys = ON');
    chmodSync(path, 0o600);
    rememberStatements(db);
    log('info', 'cache.opened', { ms: ms() });
    return db;
  } catch (error) {
    db.close();
    throw explain(error);
  }
}

/** Reports whether the cache itself failed, for example on a full disk. The transaction is rolled back then. */
export function isCacheFault(error: unknown): boolean {
  return error instanceof Database.SqliteError && !error.code.startsWith('SQLITE_CONSTRAINT');
}

/** Reports whether stored data is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT');
}

/** Removes deleted rows from the write-ahead log. In the file, `secure_delete` overwrites them. */
export function eraseTraces(db: Cache): void {
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
}

/**
 * Moves committed pages from the write-ahead log to the file if there are at least {@link PAGES_TO_MOVE}: in slices of their own,
 * since a commit that moves them takes three times as long. Sources:
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
  db.exec(`PRAGMA user_version = ${migrations.length}`);
}

/**
 * Caches prepared statements: preparing costs more than running. The engine has few of them. Frequent work calls neither
 * `db.pragma` nor an uncached `prepare`: their statements stay open until garbage is collected, and each new table visits all.
 */
function rememberStatements(db: Cache): void {
  const prepare = db.prepare.bind(db);
  const known = new Map<string, Database.Statement>();
  db.prepare = ((sql: string) => {
    const statement = known.get(sql) ?? prepare(sql);
    known.set(sql, statement);
    return statement;
  }) as typeof db.prepare;
}

function migrate(db: Cache): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > migrations.length) {
    throw new Failure('data_newer');
  }
  if (version === migrations.length) return;
  const ms = stopwatch();
  for (let next = version; next < migrations.length; next++) {
    db.transaction(() => {
      db.exec(migrations[next] ?? '');
      db.pragma(`user_version = ${next + 1}`);
    })();
  }
  log('info', 'cache.migrated', { count: migrations.length - version, ms: ms() });
}

/** Returns free pages to the disk when they are a large part of the file. On a disk without room for this they stay. */
function shrinkFile(db: Cache): void {
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number;
  const [size, count, free] = [pragma('page_size'), pragma('page_count'), pragma('freelist_count')];
  if (free * size < WORTH_GIVING_BACK || free * 4 < count) return;
  if ((count - free) * size > MOST_TO_REWRITE) return;
  const ms = stopwatch();
  try {
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
    log('info', 'cache.compacted', { ms: ms() });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    log('info', 'cache.not_compacted', describe(error));
  }
}

function explain(error: unknown): unknown {
  const code = error instanceof Database.SqliteError ? error.code : null;
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') {
    return new Failure('data_busy');
  }
  if (code === 'SQLITE_NOTADB') {
    return new Failure('data_key_wrong');
  }
  return error;
}
