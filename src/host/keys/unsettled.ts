/**
 * A file beside keys.json for as long as the key store would forget, with a crash, what it has been given. What was
 * written meanwhile opens for nobody then: there is no more in it than a first start makes.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { reasonOf, writeDurably } from '../../base/node/durable-file.ts';

export const UNSETTLED_FILE = 'keys.unsettled';

const pathIn = (folder: string) => join(folder, UNSETTLED_FILE);

/** @throws Failure if the disk refuses */
export function markUnsettled(folder: string): void {
  try {
    writeDurably(pathIn(folder), '');
  } catch (error) {
    throw new Failure('key_unwritable', { path: pathIn(folder), reason: reasonOf(error) });
  }
}

export function isUnsettled(folder: string): boolean {
  return existsSync(pathIn(folder));
}

export function settle(folder: string): void {
  rmSync(pathIn(folder), { force: true });
}
