/**
 * The data key as a file of its own, unprotected: what is left for a machine without a key store whose owner asks for
 * it by name.
 */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { reasonOf, writeDurably } from '../../base/node/durable-file.ts';

export const PLAIN_KEY_FILE = 'database.key';
export const KEY_BYTES = 32;

/**
 * The key, or null if there is no such file.
 * @throws Failure if what is there is no key: it is left as it is
 */
export function readPlainKey(folder: string): Buffer | null {
  const path = join(folder, PLAIN_KEY_FILE);
  let key: Buffer;
  try {
    key = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Failure('key_unreadable', { path, reason: reasonOf(error) });
  }
  if (key.length === KEY_BYTES) return key;
  throw new Failure('key_damaged', { path });
}

/** @throws Failure if the disk refuses */
export function writePlainKey(folder: string, key: Uint8Array): void {
  const path = join(folder, PLAIN_KEY_FILE);
  try {
    writeDurably(path, key);
  } catch (error) {
    throw new Failure('key_unwritable', { path, reason: reasonOf(error) });
  }
}

/** Removes the file if it holds this key. Its bytes may stay on the disk until something else is written there. */
export function removePlainKey(folder: string, key: Uint8Array): void {
  if (readPlainKey(folder)?.equals(key)) rmSync(join(folder, PLAIN_KEY_FILE), { force: true });
}
