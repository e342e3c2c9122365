/**
 * The operating system's key store for hosts without Electron: Keychain, Windows' Credential Manager, or the
 * Secret Service on Linux. Not the kernel's keyring, which is lost at a restart.
 */
import { randomUUID } from 'node:crypto';
import { AsyncEntry } from '@napi-rs/keyring';
import type { KeyStore } from './key-store.ts';

const SERVICE = 'Waxwing';
const PROBE = 'probe';

/** The used part of a keyring's entry. */
export type KeyringEntry = Pick<AsyncEntry, 'setSecret' | 'getSecret' | 'deleteCredential'>;

const openEntry = (account: string): KeyringEntry =>
  new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });

/** The key store, or null for none. */
export async function findKeyringStore(
  platform: NodeJS.Platform = process.platform,
  open: (account: string) => KeyringEntry = openEntry,
): Promise<KeyStore | null> {
  try {
    // No secret has that name. Only the answer counts; a locked store asks the person first.
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
