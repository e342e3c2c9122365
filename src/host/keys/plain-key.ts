/**
 * The data key in a separate file, unprotected: for a machine without a key store whose owner explicitly
 * requests it.
 */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { reasonOf, removeUnfinished, writeDurably } from '../../base/node/durable-file.ts';

export const PLAIN_KEY_FILE = 'database.key';
export const KEY_BYTES = 32;

/**
 * The key, or null without such a file.
 * @throws Failure if it contains no key: it is left unchanged
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

/**
 * Removes the file if it contains this key, and unfinished ones. The bytes may stay on the disk until they are overwritten.
 */
export function removePlainKey(folder: string, key: Uint8Array): void {
  const path = join(folder, PLAIN_KEY_FILE);
  removeUnfinished(path);
  if (readPlainKey(folder)?.equals(key)) rmSync(path, { force: true });
}
