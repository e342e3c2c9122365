/**
 * Closes a data folder to other accounts. New folders are created with these permissions; an existing, copied or unpacked one may
 * be readable for every account of the computer.
 */
import { chmodSync, type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';

/** Group and others, in a mode of POSIX. */
const OTHERS = 0o077;
/** Everyone may create files there, as in /tmp. */
const SHARED = 0o1000;
/** Own folders whose files are closed, too; for others, closing the data folder is enough. */
const OWN_FOLDERS: readonly string[] = ['engine', 'embedded', 'echo'];

/**
 * Removes the rights of group and others from a folder (mode 0700) and its files (0600), and sets this for
 * new files of this process. Does nothing on Windows, where folders of a person inherit their rights.
 * @returns the reason why others can still read a part of it; null if they cannot
 */
export function closeToOthers(
  folder: string,
  platform = process.platform,
): Failure<'folder_shared' | 'folder_open'> | null {
  if (platform === 'win32') return null;
  process.umask(OTHERS);
  if ((statSync(folder).mode & SHARED) !== 0) return new Failure('folder_shared', { path: folder });
  const [open] = [...openAfterClosing(folder)];
  return open === undefined ? null : new Failure('folder_open', { path: open });
}

/** Closes a folder and its contents, and reports parts that are still open. */
function* openAfterClosing(folder: string): Generator<string> {
  if (!close(folder)) yield folder;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isOwnFolder(entry)) yield* openAfterClosing(path);
    else if ((entry.isFile() || entry.isDirectory()) && !close(path)) yield path;
  }
}

function isOwnFolder(entry: Dirent): boolean {
  return entry.isDirectory() && OWN_FOLDERS.includes(entry.name);
}

/** Reports whether a file or folder is closed to others now. Some file systems ignore modes. */
function close(path: string): boolean {
  const { mode } = lstatSync(path);
  if ((mode & OTHERS) === 0) return true;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    return false;
  }
  return (lstatSync(path).mode & OTHERS) === 0;
}
