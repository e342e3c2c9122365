/**
 * The key store of the operating system for hosts without Electron: Keychain, Windows' Credential Manager, or the
 * Secret Service on Linux. Not the kernel's keyring, which forgets everything when the machine restarts.
 */
import { randomUUID } from 'node:crypto';
import { AsyncEntry } from '@napi-rs/keyring';
import type { KeyStore } from './key-store.ts';

const SERVICE = 'Waxwing';
const PROBE = 'probe';

/** What of a keyring's entry is used here. */
export type KeyringEntry = Pick<AsyncEntry, 'setSecret' | 'getSecret' | 'deleteCredential'>;

const openEntry = (account: string): KeyringEntry =>
  new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });

/** The key store, or null where there is none. */
export async function findKeyringStore(
  platform: NodeJS.Platform = process.platform,
  open: (account: string) => KeyringEntry = openEntry,
): Promise<KeyStore | null> {
  try {
    // Nothing has that name. What counts is that the store answers; one that is locked asks the person first.
    await open(PROBE).getSecret();
  } catch {
    return null;
  }
  return {
    name: `keyring/${platform}`,
    async keep(secret) {
      const account = `data key ${randomUUID()}`;
      await open(account).setSecret(secret);
      return account;
    },
    async fetch(account) {
      const secret = await open(account).getSecret();
      if (secret === null) throw new Error('the keyring does not have this key');
      return { secret: Buffer.from(secret), isStale: false };
    },
    async forget(account) {
      await open(account).deleteCredential();
    },
  };
}
