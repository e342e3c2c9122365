import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeyStoreError, keyStoreProtection, openKey } from '../../../src/main/key-store.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { temporaryFolder } from '../../support/engine.ts';

function keyStore() {
  const electron = new ElectronDouble();
  electron.app.becomeReady();
  const open = (folder: string, platform: NodeJS.Platform = 'linux') =>
    openKey(electron.parts.safeStorage, folder, platform);
  return { store: electron.safeStorage, open };
}

const FILE = 'database.key.wrapped';

test('the same key comes back, and nothing on disk shows it', async () => {
  using folder = temporaryFolder();
  const { open } = keyStore();
  const key = Buffer.from(await open(folder.path));
  expect(key).toHaveLength(32);
  expect(Buffer.from(await open(folder.path))).toEqual(key);
  expect(readdirSync(folder.path)).toEqual([FILE]);
  const file = readFileSync(join(folder.path, FILE));
  for (const form of [key, key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
    expect(file.includes(form)).toBe(false);
  }
  expect(statSync(join(folder.path, FILE)).mode & 0o777).toBe(0o600);
});

test('messages without their key are never given another key', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'cache.db'), 'sealed');
  await expect(keyStore().open(folder.path)).rejects.toThrow(
    /holds messages, but not database\.key\.wrapped/,
  );
  expect(readdirSync(folder.path)).toEqual(['cache.db']);
});

test.each([
  ['no key store', { available: false }, 'linux'],
  ['a key store that fails', { wraps: false }, 'darwin'],
  ['a backend that only pretends', { backend: 'basic_text' }, 'linux'],
  ['a backend that nobody knows', { backend: 'unknown' }, 'linux'],
  ['the key that stands in Chromium’s source', { tag: 'v10' }, 'linux'],
] as const)('with %s nothing is stored, and the person is told', async (_what, state, platform) => {
  using folder = temporaryFolder();
  const { store, open } = keyStore();
  Object.assign(store, state);
  await expect(open(folder.path, platform)).rejects.toThrow('found no key store');
  expect(readdirSync(folder.path)).toEqual([]);
});

test('other systems mark their ciphertexts v10 by right', async () => {
  using folder = temporaryFolder();
  const { store, open } = keyStore();
  store.tag = 'v10';
  expect(await open(folder.path, 'darwin')).toHaveLength(32);
});

test('a key that does not open, or is damaged, is left as it is', async () => {
  using folder = temporaryFolder();
  const { store, open } = keyStore();
  await open(folder.path);
  const path = join(folder.path, FILE);
  const before = readFileSync(path);
  store.opens = false;
  await expect(open(folder.path)).rejects.toThrow(KeyStoreError);
  expect(readFileSync(path)).toEqual(before);
  store.opens = true;
  writeFileSync(path, before.subarray(1));
  await expect(open(folder.path)).rejects.toThrow('Nothing was changed');
  expect(readFileSync(path)).toEqual(before.subarray(1));
});

test('where the key store has a better key, the wrap is made anew around the same key', async () => {
  using folder = temporaryFolder();
  const { store, open } = keyStore();
  const key = await open(folder.path);
  const before = readFileSync(join(folder.path, FILE));
  store.shouldReEncrypt = true;
  expect(await open(folder.path)).toEqual(key);
  expect(readFileSync(join(folder.path, FILE))).not.toEqual(before);
  store.wraps = false;
  expect(await open(folder.path)).toEqual(key);
});

test('a person is told in plain words who keeps the key', () => {
  expect(keyStoreProtection('darwin').sentence).toContain('Keychain');
  expect(keyStoreProtection('win32').sentence).toContain('Windows');
  expect(keyStoreProtection('linux').sentence).toContain('desktop');
});
