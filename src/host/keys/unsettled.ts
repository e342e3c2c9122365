/**
 * A file beside keys.json while a crash could make the key store forget its secret. Data written meanwhile would
 * be lost: only the data of a first start.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '../../base/error-facts.ts';
import { Failure } from '../../base/failure.ts';
import { log } from '../../base/log.ts';
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

/** A removal that fails is repeated at the next start that opens the key. */
export function settle(folder: string): void {
  try {
    rmSync(pathIn(folder), { force: true });
  } catch (error) {
    log('warn', 'keys.unsettled', describe(error));
  }
}
