/** The source file of a move. Nothing else may have it open meanwhile. */
import { statSync } from 'node:fs';
import BetterSqlite from 'better-sqlite3-multiple-ciphers';
import { OperatorFailure } from '../operator/failure.ts';
import { type Database, SCHEMA_VERSION } from '../store/sqlite/database.ts';
import { type Table, tablesOf } from './tables.ts';

/** The longest wait for another program to close the file, in milliseconds. */
const BUSY_TIMEOUT = 1_000;

export interface Source extends Disposable {
  database: Database;
  tables: readonly Table[];
  /** Differs after a write to the file, and for a different file. */
  fingerprint: string;
}

/**
 * Opens a relay's file for this process alone.
 * @throws OperatorFailure
 */
export function openSource(file: string): Source {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new OperatorFailure('move_source_folder', { folder: file });
  if (!found?.isFile()) throw new OperatorFailure('move_source_missing', { file });
  const database = new BetterSqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT });
  try {
    // A relay has its share of this lock as long as it runs, so occasional writes cause no wait.
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    requireKnown(database, file);
    // The log of a killed relay is merged into the file before the file is read.
    database.pragma('wal_checkpoint(TRUNCATE)');
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return {
      database,
      tables: tablesOf(database),
      fingerprint: `${ino} ${size} ${mtimeNs}`,
      [Symbol.dispose]: () => void database.close(),
    };
  } catch (error) {
    database.close();
    throw asFailure(error, file);
  }
}

function requireKnown(database: Database, file: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  const isRelay =
    database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_start'").get() !== undefined;
  if (version === 0 || !isRelay) throw new OperatorFailure('move_source_unknown', { file });
  if (version > SCHEMA_VERSION)
    throw new OperatorFailure('database_newer', { version, known: SCHEMA_VERSION });
  if (version < SCHEMA_VERSION) {
    throw new OperatorFailure('move_source_older', { file, version, known: SCHEMA_VERSION });
  }
}

function asFailure(error: unknown, file: string): unknown {
  if (!(error instanceof BetterSqlite.SqliteError)) return error;
  if (error.code.startsWith('SQLITE_BUSY')) return new OperatorFailure('move_source_busy', { file });
  if (error.code === 'SQLITE_NOTADB') return new OperatorFailure('move_source_unknown', { file });
  return new OperatorFailure('move_source_unusable', { file, reason: error.message });
}
