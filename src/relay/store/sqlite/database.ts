/** Opens the relay's database: its required settings, and its migrations. */

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import Database from 'better-sqlite3-multiple-ciphers';
import { OperatorFailure } from '../../operator/failure.ts';
import type * as Sql from '../sql/database.ts';
import { ENVELOPES_BY_HASH, openNewHashes } from './hash-index.ts';
import { schema } from './schema.ts';

export type { Database } from 'better-sqlite3-multiple-ciphers';

/** In order; a released migration never changes. The first is the whole schema: until its release, change that. */
const MIGRATIONS = [schema];

/** The version of a migrated database. */
export const SCHEMA_VERSION = MIGRATIONS.length;

const SYNCHRONOUS_FULL = 2;
/** The longest wait of a statement for another process's lock, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens the database for writing; creates or migrates it.
 * @throws OperatorFailure if the file belongs to another user, is a folder, empty or lost, has a newer version, or does not sync
 *   every commit
 */
export function openForWriting(path: string): Database.Database {
  requireAccess(path);
  // SQLite would begin a new database, and people would lose their accounts unnoticed.
  if (existsSync(path)) {
    const found = statSync(path);
    if (found.isDirectory()) throw new OperatorFailure('database_folder', { file: path });
    if (found.size === 0) throw new OperatorFailure('database_empty', { file: path });
  } else if (existsSync(`${path}-wal`)) {
    // A new database would even get pages of this log.
    throw new OperatorFailure('database_missing', { file: path });
  } else if (lstatSync(path, { throwIfNoEntry: false })) {
    // A link to a disk that is not mounted. The new file would replace the link.
    throw new OperatorFailure('database_link_broken', { file: path });
  } else {
    createFile(path);
  }
  const database = new Database(path, { timeout: BUSY_TIMEOUT });
  try {
    chmodSync(path, 0o600);
    database.pragma('journal_mode = WAL');
    // The driver's default syncs WAL commits only at intervals, which loses acknowledged rows in a power cut.
    database.pragma('synchronous = FULL');
    // Savepoints copy the pages of a flush of several operations. In a file, which SQLite makes anew each time, they are a fifth of
    // the writer's work. The hashes of new envelopes are in memory, too (hash-index.ts).
    database.pragma('temp_store = MEMORY');
    assertDurable(database);
    migrate(database);
    openNewHashes(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates the file with its first page under another name: so an empty file under its name was never written by a
 * relay, also not by one that was killed meanwhile. @throws OperatorFailure
 */
function createFile(path: string): void {
  const file = `${path}.new`;
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  const database = new Database(file);
  try {
    chmodSync(file, 0o600);
    database.pragma('synchronous = FULL');
    database.pragma('journal_mode = WAL');
    // Otherwise nothing was written.
    assertDurable(database);
  } finally {
    database.close();
  }
  // SQLite syncs the folder with the first commit to the write-ahead log.
  renameSync(file, path);
}

/** A usual cause is a backup that was restored as root. @throws OperatorFailure database_forbidden */
function requireAccess(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file)) continue;
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch {
      const owner = statSync(file).uid;
      throw new OperatorFailure('database_forbidden', {
        file: path,
        user: ownUser(),
        owner: owner === 0 ? 'root' : `user ${owner}`,
      });
    }
  }
}

/** The name of the relay's account, or its number: a container may run as an account without a name. */
function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** A connection for the store's operations. It answers synchronously. Only one that writes finds envelopes by their hashes. */
export function asSql(database: Database.Database): Sql.Database {
  const prepare = database.prepare.bind(database) as Sql.Database['prepare'];
  // https://sqlite.org/lang_conflict.html
  return { prepare, insertInto: 'INSERT OR FAIL INTO', envelopesByHash: ENVELOPES_BY_HASH };
}

/** The reason, if an error shows that the content of the file is not that of a database; null for another error. */
export function damageIn(error: unknown): string | null {
  const isDamage = error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
  return isDamage ? `${error.code}: ${error.message}` : null;
}

/** True if the disk or the file failed: no write can be trusted before a restart. */
export function hasDiskFailed(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(?:IOERR|CORRUPT|NOTADB)/.test(code);
}

/**
 * The part of an error for the log: SQLite's own message, which names tables and columns and never their content.
 * The message of another error may contain written values.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Database.SqliteError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.constructor.name : typeof error;
}

/** Opens the database to move pages from its log, beside the connection that writes. */
export function openForCheckpoints(path: string): Database.Database {
  const database = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT });
  // The file is synced before the log begins anew.
  database.pragma('synchronous = FULL');
  return database;
}

/** Opens the database read-only, beside the connection that writes. */
export function openForReading(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
}

/** @throws OperatorFailure unless a commit is on the disk when it returns */
export function assertDurable(database: Database.Database): void {
  const journal = database.pragma('journal_mode', { simple: true });
  const synchronous = database.pragma('synchronous', { simple: true });
  if (journal !== 'wal' || Number(synchronous) < SYNCHRONOUS_FULL) {
    throw new OperatorFailure('database_unsynced', {
      journal: String(journal),
      synchronous: String(synchronous),
    });
  }
}

function migrate(database: Database.Database): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > SCHEMA_VERSION) {
    throw new OperatorFailure('database_newer', { version, known: SCHEMA_VERSION });
  }
  MIGRATIONS.slice(version).forEach((migration, index) => {
    database.transaction(() => {
      database.exec(migration);
      database.pragma(`user_version = ${version + index + 1}`);
    })();
  });
}
