/**
 * A data folder that is open to nobody else. Folders are made so; but one that was there before, was copied, or was
 * unpacked from a backup may be open to every account of the computer.
 */
import { chmodSync, type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';

/** Group and others, in a mode of POSIX. */
const OTHERS = 0o077;
/** Everybody may put files there, such as into /tmp. */
const SHARED = 0o1000;
/** Folders of ours whose files are closed too; of what else lies there, closing the folder is enough. */
const OWN_FOLDERS: readonly string[] = ['engine', 'embedded', 'echo'];

/**
 * Takes the rights of group and others away from a folder (mode 0700) and from the files in it (0600), and lets this
 * process make only such files from now on. Does nothing on Windows, where a person's folders inherit who may read them.
 * @returns why others can still read some of it; null if they cannot
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

/** Closes a folder and what is in it, and tells what is open still. */
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

/** Whether a file or folder is closed to others now. Some file systems take a mode and do not keep it. */
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
