/**
 * The operating system's key store through Electron's asynchronous safeStorage.
 *
 * On Linux without a key store, Chromium falls back to a key from its source code, and still reports that
 * encryption is available. Two signs reveal it: the backend's name, and ciphertexts that begin with 'v10'
 * instead of 'v11'. Such a store protects nothing and counts as none.
 *
 * Electron asks the key store once, at the first call, and uses that answer until it ends.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SafeStorage } from 'electron';
import type { KeyStore } from '../host/keys/key-store.ts';

const HARD_CODED_KEY_TAG = 'v10';
const CANARY = 'waxwing';
/** Interval for checking whether Chromium has written its key, in milliseconds. */
const LOOK_EVERY = 500;
/** Two minutes: Chromium needs about ten seconds. */
const MAX_LOOKS = 240;

/**
 * The key store, or null without a protecting one. Call it when Electron is ready.
 * @param folder of Chromium's files
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
    // On Windows Chromium writes its own key about ten seconds after creating it, or at an orderly end of the
    // app.
    ...(platform === 'win32' && { settled: () => (hasKey(folder) ? null : untilKeyIn(folder)) }),
    // Its secrets are stored only by the app: it has nothing to forget.
    forget: async () => undefined,
  };
}

async function pretends(safeStorage: SafeStorage): Promise<boolean> {
  const backend = safeStorage.getSelectedStorageBackend();
  if (backend === 'basic_text' || backend === 'unknown') return true;
  const canary = await safeStorage.encryptStringAsync(CANARY);
  return canary.toString('latin1', 0, 3) === HARD_CODED_KEY_TAG;
}

function hasKey(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'Local State'), 'utf8').includes('"encrypted_key"');
  } catch {
    return false;
  }
}

/**
 * Always ends in time: by then there is more data than a first start writes, and it must not count as
 * nothing.
 */
async function untilKeyIn(folder: string): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS && !hasKey(folder); looks++) {
    await setTimeout(LOOK_EVERY, undefined, { ref: false });
  }
}
