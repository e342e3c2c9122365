/**
 * The data folder, with a lock for one process per folder. The operating system releases it when the process
 * ends, however it ends.
 */

import { accessSync, constants, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { Failure } from '../base/failure.ts';
import { reasonOf } from '../base/node/durable-file.ts';
import { makeFolder } from '../base/node/make-folder.ts';
import { CACHE_FILE } from '../engine/cache/database.ts';
import { closeToOthers } from './private-folder.ts';

/**
 * Creates a data folder with mode 0700 if it is missing.
 * @returns the folder
 * @throws Failure
 */
export function makeDataFolder(folder: string): string {
  try {
    makeFolder(folder);
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

/** Reports whether a data folder contains messages. Only their original key opens them. */
export function hasMessages(folder: string): boolean {
  return existsSync(join(engineFolder(folder), CACHE_FILE));
}

/**
 * Deletes the engine's data in a data folder. The engine has to be closed. If the process is killed, either
 * everything or nothing is deleted: a journal without its database would be replayed into the next one.
 */
export function removeEngineData(folder: string): void {
  finishRemoval(folder);
  renameSync(engineFolder(folder), leftovers(folder));
  finishRemoval(folder);
}

/** Deletes the leftovers of an earlier removal. */
export function finishRemoval(folder: string): void {
  rmSync(leftovers(folder), { recursive: true, force: true });
}

const leftovers = (folder: string) => join(folder, 'engine-deleted');

/** Milliseconds. */
const RACE_SETTLES = 50;

/** The locks of this process. The garbage collector would release an unreferenced one. */
const locks = new Set<Database.Database>();

/**
 * Locks a data folder for this process, and creates it with mode 0700. An existing one is closed to other
 * accounts of the computer.
 * @param warn called if others can still read a part of it
 * @returns the function that releases it
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
    // SQLite's file locks work on all platforms and vanish with the process, unlike a pid file. Two processes
    // that start at once may block each other for a moment: without a time-out neither would win.
    lock = new Database(join(folder, 'lock'), { timeout: RACE_SETTLES });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    const busy = error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY';
    throw busy
      ? new Failure('folder_busy', { path: folder })
      : new Failure('folder_unusable', { path: folder, reason: reasonOf(error) });
  }
  const ownLock = lock;
  locks.add(ownLock);
  return () => {
    locks.delete(ownLock);
    ownLock.close();
  };
}
