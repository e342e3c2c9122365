/**
 * How desktop apps before keys.json kept the data key: its base64 text, wrapped by the key store, in a file of its own.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyStore } from './key-store.ts';
import { KEY_BYTES } from './plain-key.ts';

export const EARLIER_WRAP_FILE = 'database.key.wrapped';

/** The key, or null if the store does not open it. The file is left as it is. */
export async function openEarlierWrap(folder: string, store: KeyStore): Promise<Buffer | null> {
  const path = join(folder, EARLIER_WRAP_FILE);
  if (!existsSync(path)) return null;
  try {
    const { secret } = await store.fetch(readFileSync(path).toString('base64'));
    return secret.length === KEY_BYTES ? secret : null;
  } catch {
    return null;
  }
}

/** Removes the file, once the key stands in a wrap that is durable. */
export function removeEarlierWrap(folder: string): void {
  rmSync(join(folder, EARLIER_WRAP_FILE), { force: true });
}
