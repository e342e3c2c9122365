/**
 * The key of the cache, wrapped by the operating system's key store through Electron's asynchronous safeStorage.
 *
 * On Linux, Chromium falls back to a key that stands in its source code where it finds no key store, and reports
 * that encryption is available all the same. Two signs tell: the backend's name, and ciphertexts that begin with
 * 'v10' instead of 'v11'. Such a wrap protects nothing, so nothing is stored under it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import type { KeyProtection } from '../bridge/shapes.ts';
import { requireNoMessages } from '../host/data-folder.ts';

const FILE = 'database.key.wrapped';
const KEY_BYTES = 32;
const HARD_CODED_KEY_TAG = 'v10';

/** The key store cannot be used, or does not open the key. The message is a sentence for the person. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}

const STORES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'the Keychain of this Mac',
  win32: 'Windows, for your user account',
};

/** How the key is protected, in plain words. */
export function keyStoreProtection(platform: NodeJS.Platform): KeyProtection {
  const store = STORES[platform] ?? 'the key store of your desktop';
  return {
    kind: 'os-key-store',
    sentence: `Your messages are encrypted on this computer. Their key is kept by ${store}.`,
  };
}

/**
 * The key in a folder, made if there is none and nothing that it would have to open. One that cannot be opened is left
 * as it is, never replaced.
 * @throws KeyStoreError, DataFolderError
 */
export async function openKey(
  safeStorage: SafeStorage,
  folder: string,
  platform: NodeJS.Platform,
): Promise<Uint8Array> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) throw noKeyStore();
  const path = join(folder, FILE);
  if (existsSync(path)) return unwrap(safeStorage, path, platform);
  requireNoMessages(folder, FILE);
  const key = randomBytes(KEY_BYTES);
  await wrap(safeStorage, path, key, platform);
  return new Uint8Array(key);
}

async function unwrap(
  safeStorage: SafeStorage,
  path: string,
  platform: NodeJS.Platform,
): Promise<Uint8Array> {
  let opened: Awaited<ReturnType<SafeStorage['decryptStringAsync']>>;
  try {
    opened = await safeStorage.decryptStringAsync(readFileSync(path));
  } catch {
    throw new KeyStoreError(
      'The key store of this computer does not open the key of your messages. Unlock it, or log in to the desktop you used before, and start Waxwing again. Nothing was changed.',
    );
  }
  const key = Buffer.from(opened.result, 'base64');
  if (key.length !== KEY_BYTES) {
    throw new KeyStoreError(`The key file ${path} is damaged. Put back a copy of it. Nothing was changed.`);
  }
  if (opened.shouldReEncrypt) {
    // The key is open: where no better wrap can be made, the one that just opened stays.
    await wrap(safeStorage, path, key, platform).catch(() => undefined);
  }
  return new Uint8Array(key);
}

/** Writes the wrapped key whole, or not at all. */
async function wrap(
  safeStorage: SafeStorage,
  path: string,
  key: Buffer,
  platform: NodeJS.Platform,
): Promise<void> {
  const wrapped = await safeStorage.encryptStringAsync(key.toString('base64')).catch(() => {
    throw noKeyStore();
  });
  if (platform === 'linux' && pretends(safeStorage, wrapped)) throw noKeyStore();
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, wrapped, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

function pretends(safeStorage: SafeStorage, wrapped: Buffer): boolean {
  const backend = safeStorage.getSelectedStorageBackend();
  return (
    backend === 'basic_text' ||
    backend === 'unknown' ||
    wrapped.toString('latin1', 0, 3) === HARD_CODED_KEY_TAG
  );
}

function noKeyStore(): KeyStoreError {
  return new KeyStoreError(
    'Waxwing found no key store to keep the key of your messages in. Set up GNOME Keyring or KWallet and start it again, or use Waxwing in your browser with: waxwing serve',
  );
}
