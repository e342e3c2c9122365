import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { wrapForRecovery } from '../../../../src/base/node/recovery-wrap.ts';
import { sealWithPassphrase } from '../../../../src/base/node/secret-box.ts';
import { walletFromSecret } from '../../../../src/base/wallet-secret.ts';
import { DataKey } from '../../../../src/host/keys/data-key.ts';
import type { KeyStore } from '../../../../src/host/keys/key-store.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { MemoryKeyStore } from '../../../support/session.ts';

afterEach(() => vi.useRealTimers());

const PASSPHRASE = 'a passphrase for a test';
const PHRASE = 'test test test test test test test test test test test junk';
const { wallet } = walletFromSecret(PHRASE);

const open = (folder: string, store: KeyStore | null = null, mayBePlain = false) =>
  new DataKey({ folder, findStore: async () => store, mayBePlain });

/** A copy, as its user overwrites the key itself. */
async function made(key: DataKey): Promise<Buffer> {
  const opened = await key.start();
  if (typeof opened === 'string') throw new Error(`asked: ${opened}`);
  return Buffer.from(opened);
}

function expectNowhere(folder: string, key: Buffer): void {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (const form of [key, key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      expect(bytes.includes(form), name).toBe(false);
    }
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  }
}

test('C9: asks for the chosen passphrase at each start', async () => {
  using folder = temporaryFolder();
  const first = open(folder.path);
  expect(await first.start()).toBe('choose-passphrase');
  await expect(first.choosePassphrase('seven 7')).rejects.toMatchObject({ code: 'passphrase_short' });
  await expect(first.choosePassphrase('aaaaaaaa')).rejects.toMatchObject({
    code: 'passphrase_guessable',
    parameters: { reason: 'repeated' },
  });
  expect(readdirSync(folder.path)).toEqual([]);
  const key = await first.choosePassphrase(PASSPHRASE);
  expectNowhere(folder.path, key);

  const next = open(folder.path, new MemoryKeyStore());
  expect(await next.start()).toBe('passphrase');
  await expect(next.openByPassphrase('another passphrase')).rejects.toMatchObject({
    code: 'passphrase_wrong',
  });
  expect(next.attempts.failed).toBe(1);
  expect(await next.openByPassphrase(PASSPHRASE)).toEqual(key);
  expect(next.attempts.failed).toBe(0);
});

test('C9: a passphrase replaces the key store, and vice versa', async () => {
  using folder = temporaryFolder();
  const store = new MemoryKeyStore();
  const key = open(folder.path, store);
  const bytes = await made(key);
  expect([key.holder, store.secrets.size]).toEqual(['store', 1]);
  await key.protectByPassphrase(bytes, PASSPHRASE);
  expect([key.holder, store.secrets.size]).toEqual(['passphrase', 0]);
  await key.protectWithoutPassphrase(bytes);
  expect([key.holder, store.secrets.size]).toEqual(['store', 1]);
  expect(await made(open(folder.path, store))).toEqual(bytes);
  expectNowhere(folder.path, bytes);
});

test('C9: keeps the passphrase without a key store, unless the key may be plain', async () => {
  using folder = temporaryFolder();
  const strict = open(folder.path);
  await strict.start();
  const bytes = await strict.choosePassphrase(PASSPHRASE);
  await expect(strict.protectWithoutPassphrase(bytes)).rejects.toThrow('key_store_none');
  expect(strict.holder).toBe('passphrase');
  const lax = open(folder.path, null, true);
  await lax.protectWithoutPassphrase(bytes);
  expect(lax.holder).toBe('plain-file');
  expect(await made(open(folder.path, null, true))).toEqual(bytes);
});

test('C9: recovery phrase and private key unlock after a change of the desktop', async () => {
  using folder = temporaryFolder();
  const gnome = new MemoryKeyStore('electron/gnome_libsecret');
  const kde = new MemoryKeyStore('electron/kwallet6');
  const first = open(folder.path, gnome);
  const key = await made(first);
  first.keepRecovery(wrapForRecovery(key, wallet.privateKey));

  const changed = open(folder.path, kde);
  expect(await changed.start()).toBe('store-changed');
  await expect(
    changed.openByRecovery(
      'legal winner thank year wave sausage worth useful legal winner thank yellow',
      null,
    ),
  ).rejects.toThrow('recovery_wrong');
  await expect(changed.openByRecovery('test test test', null)).rejects.toMatchObject({
    code: 'secret_length',
  });
  expect(await changed.openByRecovery(`  ${PHRASE.toUpperCase().replaceAll(' ', '\n')} `, null)).toEqual(key);

  expect(await made(open(folder.path, kde))).toEqual(key);
  expect(await made(open(folder.path, gnome))).toEqual(key);
  const privateKey = Buffer.from(wallet.privateKey).toString('hex');
  const bare = open(folder.path);
  expect(await bare.start()).toBe('store-missing');
  await expect(bare.openByRecovery(privateKey, null)).rejects.toThrow('key_store_none');
  expect(await bare.openByRecovery(`0x${privateKey}`, PASSPHRASE)).toEqual(key);
  expect(bare.holder).toBe('passphrase');
  expectNowhere(folder.path, key);
});

test('C9: the recovery phrase replaces a forgotten passphrase and ends the waits', async () => {
  // On a busy machine the passphrases alone take longer than the wait.
  vi.useFakeTimers({ toFake: ['Date'] });
  using folder = temporaryFolder();
  const key = open(folder.path);
  await key.start();
  const bytes = Buffer.from(await key.choosePassphrase(PASSPHRASE));
  key.keepRecovery(wrapForRecovery(bytes, wallet.privateKey));
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(key.openByPassphrase('forgotten it')).rejects.toThrow('The passphrase is wrong');
  }
  await expect(key.openByPassphrase(PASSPHRASE)).rejects.toMatchObject({ code: 'attempts_too_many' });
  expect(await key.openByRecovery(PHRASE, 'another lamp to sit by')).toEqual(bytes);
  await expect(key.openByPassphrase(PASSPHRASE)).rejects.toThrow('The passphrase is wrong');
  expect(await key.openByPassphrase('another lamp to sit by')).toEqual(bytes);
});

test('wraps a plain key with a key store or passphrase, and deletes it only afterwards', async () => {
  using folder = temporaryFolder();
  const key = Buffer.alloc(32, 5);
  writeFileSync(join(folder.path, 'database.key'), key, { mode: 0o600 });
  const store = new MemoryKeyStore();
  store.keeps = false;
  expect(await open(folder.path, store).start()).toBe('choose-passphrase');
  expect(readdirSync(folder.path)).toEqual(['database.key']);
  store.keeps = true;
  expect(await made(open(folder.path, store))).toEqual(key);
  expect(readdirSync(folder.path)).toEqual(['keys.json']);

  using other = temporaryFolder();
  writeFileSync(join(other.path, 'database.key'), key, { mode: 0o600 });
  const chosen = open(other.path);
  expect(await chosen.start()).toBe('choose-passphrase');
  expect(await chosen.choosePassphrase(PASSPHRASE)).toEqual(key);
  expect(readdirSync(other.path)).toEqual(['keys.json']);
});

test('C9: never creates another key for existing messages', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'engine'));
  writeFileSync(join(folder.path, 'engine', 'cache.db'), 'sealed');
  for (const store of [null, new MemoryKeyStore()]) {
    await expect(open(folder.path, store).start()).rejects.toThrow(
      /contains messages, but not their key .*keys\.json/,
    );
  }
  expect(readdirSync(folder.path)).toEqual(['engine']);
});

test('an existing weak passphrase still unlocks, and remains when the data is deleted', async () => {
  using folder = temporaryFolder();
  const key = Buffer.alloc(32, 7);
  const wrap = { kind: 'passphrase', ...(await sealWithPassphrase('aaaaaaaa', key, 'waxwing data key v1')) };
  writeFileSync(join(folder.path, 'keys.json'), JSON.stringify({ version: 1, wraps: [wrap] }), {
    mode: 0o600,
  });
  const opened = open(folder.path);
  expect(await opened.start()).toBe('passphrase');
  expect(await opened.openByPassphrase('aaaaaaaa')).toEqual(key);
  const replaced = await opened.replace('aaaaaaaa');
  expect(await open(folder.path).openByPassphrase('aaaaaaaa')).toEqual(replaced);
});

test.each(['choosing', 'turning on', 'recovery'])('%s refuses a weak passphrase', async (way) => {
  using folder = temporaryFolder();
  const key = open(folder.path, null, way !== 'choosing');
  const bytes = way === 'choosing' ? null : await made(key);
  if (bytes) key.keepRecovery(wrapForRecovery(bytes, wallet.privateKey));
  const before = readdirSync(folder.path);
  const setting = {
    choosing: () => key.choosePassphrase('12345678'),
    'turning on': () => key.protectByPassphrase(bytes ?? Buffer.alloc(32), 'Password1'),
    recovery: () => key.openByRecovery(PHRASE, 'qwertyuiop'),
  }[way];
  await expect(setting?.()).rejects.toMatchObject({ code: 'passphrase_guessable' });
  expect(readdirSync(folder.path)).toEqual(before);
  expect(key.holder).toBe(way === 'choosing' ? null : 'plain-file');
});
