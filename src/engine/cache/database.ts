/**
 * The encrypted cache: one SQLite file, every page sealed with ChaCha20-Poly1305, opened by one process at a time.
 */

import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3-multiple-ciphers';
import { Failure } from '../../base/failure.ts';
import { log, stopwatch } from '../../base/log.ts';
import type { MigrationProgress } from '../../bridge/shapes/lock-state.ts';
import { migrate } from './migrate.ts';
import { MAX_LOG_PAGES } from './write-ahead-log.ts';

export type Cache = Database.Database;

export const CACHE_FILE = 'cache.db';
/**
 * Opens the cache in a folder, creating or migrating it as needed.
 * @param folder made with mode 0700
 * @param key 32 bytes
 * @throws Failure if another process has it open, the key is wrong, a newer version wrote it, or a migration needs more room
 */
export function openCache(folder: string, key: Uint8Array): Cache {
  const opening = open(folder, key);
  for (;;) {
    const step = opening.next();
    if (step.done) return step.value;
  }
}

/**
 * Opens the cache as {@link openCache} does, with turns of the event loop between the slices of a migration.
 * @param onProgress called after each slice; the next one waits for it
 * @returns null after the signal: the next opening continues the migration
 */
export async function openCacheInTurns(
  folder: string,
  key: Uint8Array,
  onProgress: (progress: MigrationProgress) => void | Promise<void>,
  signal: AbortSignal,
): Promise<Cache | null> {
  const opening = open(folder, key);
  try {
    for (;;) {
      const step = opening.next();
      if (step.done) return step.value;
      await onProgress(step.value);
      await setImmediate();
      if (signal.aborted) return null;
    }
  } finally {
    // Closes the cache in the middle of a migration; after its end this does nothing.
    opening.return(null as never);
  }
}

function* open(folder: string, key: Uint8Array): Generator<MigrationProgress, Cache> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, CACHE_FILE);
  const ms = stopwatch();
  const db = new Database(path, { timeout: 0 });
  let isOpen = false;
  try {
    db.pragma(`cipher='chacha20'`);
    db.pragma(`key='raw:${Buffer.from(key).toString('hex')}'`);
    db.pragma('locking_mode = EXCLUSIVE');
    // Before the first page: free-space.ts returns free pages later. It would write to an existing file.
    if (db.pragma('page_count', { simple: true }) === 0) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    // NORMAL, the default in WAL mode, loses committed rows in a power cut.
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.pragma('temp_store = MEMORY');
    db.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    // A migration may rebuild a table. Without this, rows that refer to it would be deleted too.
    db.pragma('foreign_keys = OFF');
    yield* migrate(db, () => freeBytes(folder));
    db.pragma('foreign_keys = ON');
    chmodSync(path, 0o600);
    rememberStatements(db);
    log('info', 'cache.opened', { ms: ms() });
    isOpen = true;
    return db;
  } catch (error) {
    throw explain(error);
  } finally {
    // Also if the caller ends a migration.
    if (!isOpen) db.close();
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Reports whether the cache itself failed, for example on a full disk. The transaction is rolled back then. */
export function isCacheFault(error: unknown): boolean {
  return error instanceof Database.SqliteError && !error.code.startsWith('SQLITE_CONSTRAINT');
}

/** Reports whether stored data is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT');
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
