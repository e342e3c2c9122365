/** Copies a relay's database while it is in use. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import type BetterSqlite from 'better-sqlite3-multiple-ciphers';
import { OperatorFailure } from '../../operator/failure.ts';
import { forbiddenByNode } from '../../operator/forbidden.ts';

/**
 * Copies the database as one transaction sees it. The copy gets its name only when it is complete and on the disk.
 * @returns its size in bytes
 * @throws OperatorFailure if the file exists already or cannot be created; Error if it cannot be written
 */
export function backUp(database: BetterSqlite.Database, file: string): number {
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) throw new OperatorFailure('backup_failed', { file, reason: 'EISDIR' });
    throw new OperatorFailure('backup_exists', { file });
  }
  const partial = `${file}.${process.pid}.partial`;
  try {
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new OperatorFailure('backup_failed', {
      file,
      reason: forbiddenByNode(error) ?? String(error.code),
    });
  }
  try {
    // The copy is synced as set for the connection: fully.
    database.pragma('synchronous = FULL');
    database.prepare('VACUUM INTO ?').run(partial);
    if (existsSync(file)) throw new OperatorFailure('backup_exists', { file });
    renameSync(partial, file);
    return statSync(file).size;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
