/**
 * The data key as versions before keys.json kept it: plain (plain-key.ts), or as base64 text wrapped by the key store
 * of a desktop app. They are taken over, and go once the same key stands in a wrap that is durable.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyStore } from './key-store.ts';
import { KEY_BYTES, readPlainKey, removePlainKey } from './plain-key.ts';

const WRAP_FILE = 'database.key.wrapped';

/** Whether an earlier desktop app has left a wrap. */
export function hasEarlierWrap(folder: string): boolean {
  return existsSync(join(folder, WRAP_FILE));
}

/** The key in the wrap of an earlier desktop app, or null if the store does not open it. The file is left as it is. */
export async function openEarlierWrap(folder: string, store: KeyStore): Promise<Buffer | null> {
  try {
    const { secret } = await store.fetch(readFileSync(join(folder, WRAP_FILE)).toString('base64'));
    return secret.length === KEY_BYTES ? secret : null;
  } catch {
    return null;
  }
}

/** Removes what holds this key. A file that holds another stays, and so does one that does not open now. */
export async function forgetEarlierFiles(folder: string, key: Buffer, store: KeyStore | null): Promise<void> {
  if (readPlainKey(folder)?.equals(key)) removePlainKey(folder);
  if (!store || !hasEarlierWrap(folder)) return;
  const earlier = await openEarlierWrap(folder, store);
  if (earlier?.equals(key)) rmSync(join(folder, WRAP_FILE), { force: true });
}
