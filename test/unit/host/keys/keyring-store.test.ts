import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { findKeyringStore, type KeyringEntry } from '../../../../src/host/keys/keyring-store.ts';

/** A keyring in memory, with the interface of @napi-rs/keyring. */
function keyring() {
  const secrets = new Map<string, Uint8Array>();
  const open = (account: string): KeyringEntry => ({
    setSecret: async (secret) => void secrets.set(account, Buffer.from(secret)),
    getSecret: async () => {
      const secret = secrets.get(account);
      return secret ? [...secret] : null;
    },
    deleteCredential: async () => secrets.delete(account),
  });
  return { secrets, open };
}

test('returns a secret by its reference until it is forgotten', async () => {
  const { secrets, open } = keyring();
  const store = await findKeyringStore('darwin', open);
  expect(store?.name).toBe('keyring/darwin');
  expect(secrets.size, 'looking for a store leaves nothing in it').toBe(0);
  const secret = randomBytes(32);
  const reference = (await store?.keep(secret)) ?? '';
  expect(reference).not.toContain(secret.toString('hex'));
  expect(await store?.fetch(reference)).toEqual({ secret, isStale: false });
  await store?.forget(reference);
  await expect(store?.fetch(reference)).rejects.toThrow('does not have this key');
});

test('an unusable keyring counts as none', async () => {
  const unavailable = () => {
    throw new Error('Platform failure: no D-Bus');
  };
  expect(await findKeyringStore('linux', unavailable)).toBeNull();
  const { open } = keyring();
  const locked = (account: string): KeyringEntry => ({
    ...open(account),
    getSecret: () => Promise.reject(new Error('locked')),
  });
  expect(await findKeyringStore('linux', locked)).toBeNull();
});
