/**
 * Where the data is, and one process for each such folder: a lock that the operating system lets go of when the
 * process ends, however it ends.
 */

import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { Failure } from '../base/failure.ts';
import { reasonOf } from '../base/node/durable-file.ts';
import { CACHE_FILE } from '../engine/cache/database.ts';
import { closeToOthers } from './private-folder.ts';

/**
 * Makes a data folder with mode 0700, if it is not there.
 * @returns the folder
 * @throws Failure
 */
export function makeDataFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Failure('folder_unusable', { path: folder, reason: reasonOf(error) });
  }
  return folder;
}

/** The engine's own folder in a data folder. */
export function engineFolder(folder: string): string {
  return join(folder, 'engine');
}

/** Whether a data folder holds messages, which only the key that they were written with opens. */
export function holdsMessages(folder: string): boolean {
  return existsSync(join(engineFolder(folder), CACHE_FILE));
}

/**
 * Deletes what the engine keeps in a data folder. It has to be closed. Killed on the way, it is all there or not at all:
 * a journal without its database would be played back into the next one.
 */
export function removeEngineData(folder: string): void {
  finishRemoval(folder);
  renameSync(engineFolder(folder), leftovers(folder));
  finishRemoval(folder);
}

/** Deletes what an earlier removal has left. */
export function finishRemoval(folder: string): void {
  rmSync(leftovers(folder), { recursive: true, force: true });
}

const leftovers = (folder: string) => join(folder, 'engine-deleted');

/** Milliseconds. */
const RACE_SETTLES = 50;

/** The locks of this process. One that nobody refers to would be let go of by the garbage collector. */
const locks = new Set<Database.Database>();

/**
 * Takes a data folder for this process, making it with mode 0700. One that is there is closed to other accounts of the
 * computer.
 * @param warn is told if others can read some of it all the same
 * @returns the function that gives it back
 * @throws Failure
 */
export function lockDataFolder(
  folder: string,
  warn: (problem: Failure<'folder_shared' | 'folder_open'>) => void,
): () => void {
  makeDataFolder(folder);
  const problem = closeToOthers(folder);
  if (problem !== null) warn(problem);
  let lock: Database.Database | null = null;
  try {
    // SQLite's file locks hold across platforms and vanish with the process, which a file with a pid in it does not.
    // Of two that start at once each may stand in the other's way for a moment: without a time-out neither would win.
    lock = new Database(join(folder, 'lock'), { timeout: RACE_SETTLES });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    const busy = error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY';
    throw busy
      ? new Failure('folder_busy', { path: folder })
      : new Failure('folder_unusable', { path: folder, reason: reasonOf(error) });
  }
  const held = lock;
  locks.add(held);
  return () => {
    locks.delete(held);
    held.close();
  };
}
