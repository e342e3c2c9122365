import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DataKey } from '../../../src/host/keys/data-key.ts';
import { findElectronKeyStore } from '../../../src/main/key-store.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { type KeyStoreState, noKeyStore } from '../../support/electron/safe-storage.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';

/** The data key of a folder on a desktop whose key store can be put in any state. Each start is another process. */
function desktop(folder: string, platform: NodeJS.Platform = 'linux') {
  let keyStoreKey = randomBytes(32);
  const start = (state: Partial<KeyStoreState> = {}) => {
    const electron = new ElectronDouble({ platform, keyStoreKey });
    electron.safeStorage.become(state);
    electron.app.becomeReady();
    const findStore = () => findElectronKeyStore(electron.parts.safeStorage, platform, folder);
    return new DataKey({ folder, findStore, mayBePlain: false }).start();
  };
  const made = async (state?: Partial<KeyStoreState>) => {
    const key = await start(state);
    if (typeof key === 'string') throw new Error(`asked: ${key}`);
    return Buffer.from(key);
  };
  return {
    start,
    made,
    /** Chromium stores the key that it has created. */
    writeKey: () => writeFileSync(join(folder, 'Local State'), '{"os_crypt":{"encrypted_key":"RFBBUEk="}}'),
    /** The process ends before it is stored: the next one has another key. */
    crash() {
      keyStoreKey = randomBytes(32);
    },
  };
}

const keysIn = (folder: string) => readFileSync(join(folder, 'keys.json'));

test('C9: a key store returns the same key, and nothing on disk shows it', async () => {
  using folder = temporaryFolder();
  const { start, made } = desktop(folder.path);
  const key = await made();
  expect(key).toHaveLength(32);
  expect(await start()).toEqual(key);
  expect(readdirSync(folder.path)).toEqual(['keys.json']);
  for (const form of [key, key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
    expect(keysIn(folder.path).includes(form)).toBe(false);
  }
});

test.each([
  ['no key store', noKeyStore('linux'), 'linux'],
  ['a key store that fails', { wraps: false }, 'darwin'],
  ['a backend that only pretends', { backend: 'basic_text' }, 'linux'],
  ['a backend that nobody knows', { backend: 'unknown' }, 'linux'],
  ['the key that stands in Chromium’s source', { tag: 'v10' }, 'linux'],
] as const)(
  'C9: with %s a passphrase is demanded, and nothing is stored before',
  async (_what, state, platform) => {
    using folder = temporaryFolder();
    const { start } = desktop(folder.path, platform);
    expect(await start(state)).toBe('choose-passphrase');
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

test('C9: other systems mark their ciphertexts v10 by right', async () => {
  using folder = temporaryFolder();
  const { made } = desktop(folder.path, 'darwin');
  expect(await made({ tag: 'v10' })).toHaveLength(32);
});

test.each([
  ['another backend', { backend: 'kwallet6' }, 'store-changed'],
  ['a backend that only pretends', { backend: 'basic_text' }, 'store-missing'],
  ['the key that stands in Chromium’s source', { tag: 'v10' }, 'store-missing'],
  ['no key store for now', noKeyStore('linux'), 'store-missing'],
  ['a key store that is locked', { opens: false }, 'store-refused'],
] as const)('C9: %s never makes a new key, and the old one opens again', async (_what, state, question) => {
  using folder = temporaryFolder();
  const { start, made } = desktop(folder.path);
  const key = await made();
  const before = keysIn(folder.path);
  expect(await start(state)).toBe(question);
  expect(keysIn(folder.path)).toEqual(before);
  expect(await start()).toEqual(key);
});

test('C9: refuses a changed wrap, and leaves it unchanged', async () => {
  using folder = temporaryFolder();
  const { start, made } = desktop(folder.path);
  await made();
  const file = JSON.parse(keysIn(folder.path).toString('utf8'));
  for (const field of ['reference', 'nonce', 'ciphertext']) {
    const bytes = Buffer.from(file.wraps[0][field], 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const changed = { ...file, wraps: [{ ...file.wraps[0], [field]: bytes.toString('base64') }] };
    writeFileSync(join(folder.path, 'keys.json'), JSON.stringify(changed));
    const before = keysIn(folder.path);
    expect(await start(), field).toBe('store-refused');
    expect(keysIn(folder.path)).toEqual(before);
  }
});

test('C9: reports garbage in keys.json, and leaves it unchanged', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'keys.json'), '{"version":1,"wraps":[{"kind":"system"}]}');
  await expect(desktop(folder.path).start()).rejects.toThrow(/keys\.json is damaged.*Nothing was changed/);
  expect(keysIn(folder.path).toString('utf8')).toBe('{"version":1,"wraps":[{"kind":"system"}]}');
});

test('C9: wraps the same key again if the key store has a better one', async () => {
  using folder = temporaryFolder();
  const { start, made } = desktop(folder.path, 'darwin');
  const key = await made();
  const before = keysIn(folder.path);
  expect(await start({ shouldReEncrypt: true })).toEqual(key);
  const rewrapped = keysIn(folder.path);
  expect(rewrapped).not.toEqual(before);
  // Without a better wrap, the one that was just opened stays.
  expect(await start({ shouldReEncrypt: true, wraps: false })).toEqual(key);
  expect(keysIn(folder.path)).toEqual(rewrapped);
});

describe('C9: on Windows, where Chromium writes its key seconds after the first start', () => {
  const messagesIn = (folder: string) => join(folder, 'engine', 'cache.db');
  const putMessages = (folder: string) => {
    mkdirSync(join(folder, 'engine'));
    writeFileSync(messagesIn(folder), 'what the lost key sealed');
  };

  test('a crash before that leaves no data without a key', async () => {
    using folder = temporaryFolder();
    const { start, made, crash } = desktop(folder.path, 'win32');
    await made();
    putMessages(folder.path);
    crash();
    expect(await start()).toHaveLength(32);
    expect(existsSync(messagesIn(folder.path))).toBe(false);
  });

  test('distinguishes that crash from a later refusal, and from an account with a phrase', async () => {
    using folder = temporaryFolder();
    const { start, made, crash, writeKey } = desktop(folder.path, 'win32');
    const key = await made();
    putMessages(folder.path);
    writeKey();
    expect(await start()).toEqual(key);
    expect(readdirSync(folder.path)).not.toContain('keys.unsettled');
    crash();
    expect(await start()).toBe('store-refused');

    writeFileSync(join(folder.path, 'keys.unsettled'), '');
    const file = JSON.parse(keysIn(folder.path).toString('utf8'));
    const recovery = { kind: 'recovery', salt: 'AA==', nonce: 'AA==', ciphertext: 'AA==' };
    writeFileSync(
      join(folder.path, 'keys.json'),
      JSON.stringify({ ...file, wraps: [...file.wraps, recovery] }),
    );
    expect(await start()).toBe('store-refused');
    expect(existsSync(messagesIn(folder.path))).toBe(true);
  });

  test('removes the mark as soon as the key is written', async () => {
    using folder = temporaryFolder();
    const { made, writeKey } = desktop(folder.path, 'win32');
    await made();
    expect(readdirSync(folder.path)).toContain('keys.unsettled');
    writeKey();
    await eventually(
      async () => readdirSync(folder.path),
      (names) => !names.includes('keys.unsettled'),
    );
  });
});
