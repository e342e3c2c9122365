/**
 * The operating system's key store through Electron's asynchronous safeStorage.
 *
 * On Linux, Chromium falls back to a key that stands in its source code where it finds no key store, and reports
 * that encryption is available all the same. Two signs tell: the backend's name, and ciphertexts that begin with
 * 'v10' instead of 'v11'. Such a store protects nothing and counts as none.
 *
 * Electron asks the key store once, at the first call, and goes on with what it heard until it ends.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SafeStorage } from 'electron';
import type { KeyStore } from '../host/keys/key-store.ts';

const HARD_CODED_KEY_TAG = 'v10';
const CANARY = 'waxwing';
/** Milliseconds between two looks at whether Chromium has written its key. */
const LOOK_EVERY = 500;
/** Two minutes: Chromium takes some ten seconds. */
const MOST_LOOKS = 240;

/**
 * The key store, or null where there is none that protects anything. To be called when Electron is ready.
 * @param folder where Chromium keeps its own files
 */
export async function findElectronKeyStore(
  safeStorage: SafeStorage,
  platform: NodeJS.Platform,
  folder: string,
): Promise<KeyStore | null> {
  try {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
    if (platform === 'linux' && (await pretends(safeStorage))) return null;
  } catch {
    return null;
  }
  const backend = platform === 'linux' ? safeStorage.getSelectedStorageBackend() : platform;
  return {
    name: `electron/${backend}`,
    async keep(secret) {
      const wrapped = await safeStorage.encryptStringAsync(Buffer.from(secret).toString('base64'));
      return wrapped.toString('base64');
    },
    async fetch(reference) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(
        Buffer.from(reference, 'base64'),
      );
      return { secret: Buffer.from(result, 'base64'), isStale: shouldReEncrypt };
    },
    // On Windows Chromium makes a key of its own and writes it down some ten seconds later, or when the app ends in order.
    ...(platform === 'win32' && { settled: () => (holdsKey(folder) ? null : untilKeyIn(folder)) }),
    // What it wraps is with us alone: it keeps nothing that could be forgotten.
    forget: async () => undefined,
  };
}

async function pretends(safeStorage: SafeStorage): Promise<boolean> {
  const backend = safeStorage.getSelectedStorageBackend();
  if (backend === 'basic_text' || backend === 'unknown') return true;
  const canary = await safeStorage.encryptStringAsync(CANARY);
  return canary.toString('latin1', 0, 3) === HARD_CODED_KEY_TAG;
}

function holdsKey(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'Local State'), 'utf8').includes('"encrypted_key"');
  } catch {
    return false;
  }
}

/** Ends in time, whatever happens: by then there is more than a first start makes, and nobody may take it for nothing. */
async function untilKeyIn(folder: string): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS && !holdsKey(folder); looks++) {
    await setTimeout(LOOK_EVERY, undefined, { ref: false });
  }
}
