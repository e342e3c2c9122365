import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder for this user alone, with its missing parents. Node's own recursive call does not end on a file system that
 * refuses a folder as missing, such as /proc.
 * @throws Error of Node's
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (make(folder)) break;
    missing.push(folder);
    if (dirname(folder) === folder) break;
  }
  // A parent that exists, and refuses this one as missing, throws here.
  for (const folder of missing.toReversed()) mkdirSync(folder, { mode: 0o700 });
}

/** @returns false if the parent is missing */
function make(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    // A root, or a folder of a read-only file system, exists also where it cannot be made.
    if (!isFolder(folder)) throw error;
  }
  return true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
