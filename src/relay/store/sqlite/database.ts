/**
 * Opening the relay's database: how it must be set, and its migrations.
 */

import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import Database from 'better-sqlite3-multiple-ciphers';
import { OperatorFailure } from '../../operator/failure.ts';
import type * as Sql from '../sql/database.ts';
import { schema } from './schema.ts';

export type { Database } from 'better-sqlite3-multiple-ciphers';

/**
 * In order; one that was released is never changed. The first is the whole schema: until it is released, change that.
 */
const MIGRATIONS = [schema];

/** Of a database that is up to date. */
export const SCHEMA_VERSION = MIGRATIONS.length;

const SYNCHRONOUS_FULL = 2;
/** How long a statement waits for a lock that another process holds, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens the database for writing, made or brought up to date.
 * @throws OperatorFailure if the file belongs to another user, is of a newer version, or does not sync every commit
 */
export function openForWriting(path: string): Database.Database {
  requireAccess(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT });
  try {
    chmodSync(path, 0o600);
    database.pragma('journal_mode = WAL');
    // The driver is compiled to sync WAL commits only now and then, which loses acknowledged rows in a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('wal_autocheckpoint = 4000');
    assertDurable(database);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A backup that was put back as root is a usual cause. @throws OperatorFailure database_forbidden */
function requireAccess(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file)) continue;
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch {
      const { uid, username } = userInfo();
      const owner = statSync(file).uid;
      throw new OperatorFailure('database_forbidden', {
        file: path,
        user: username || String(uid),
        owner: owner === 0 ? 'root' : `user ${owner}`,
      });
    }
  }
}

/** A connection as the store's operations see it. It answers at once. */
export function asSql(database: Database.Database): Sql.Database {
  return database as Sql.Database;
}

/** Opens the database for reading only, beside the one that writes. */
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
