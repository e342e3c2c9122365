/**
 * A folder for the temporary files of tests. In memory a sync costs nothing, and a relay makes one for each commit: with
 * it the tests take a tenth less processor time.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of Linux for files in memory. */
const MEMORY = '/dev/shm';
/** Bytes that must be free there, several times what the tests have at once. */
const ENOUGH = 2 * 1024 ** 3;

/**
 * Makes a folder that is gone when this process is: in memory, unless TMPDIR names another place or there is too little.
 * @returns {string} its path
 */
export function temporaryFolder() {
  const path = (process.env.TMPDIR === undefined ? inMemory() : null) ?? folderIn(tmpdir());
  process.on('exit', () => remove(path));
  return path;
}

/** A folder in memory in which programs run; null if there is none. */
function inMemory() {
  let path = null;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ENOUGH) return null;
    path = folderIn(MEMORY);
    // Tests write programs and run them. Containers often forbid it there.
    const program = join(path, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    if (spawnSync(program).status === 0) return path;
  } catch {
    // There is no such place, or it is not for us.
  }
  if (path !== null) remove(path);
  return null;
}

function folderIn(place) {
  const path = mkdtempSync(join(place, 'waxwing-'));
  // Other accounts reach what lies in it, as in /tmp: a test looks at what keeps them out of a data folder.
  chmodSync(path, 0o755);
  return path;
}

function remove(path) {
  // Programs started by a test may still write while they end.
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
