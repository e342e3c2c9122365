import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyHolderOf } from '../../../src/client/identity/sealed-file.ts';
import { Identity, IdentityError } from '../../../src/client/index.ts';
import { temporaryFolder } from '../../support/engine.ts';

const PASSPHRASE = 'a passphrase for a bot';

/** Every secret of a plain file. */
function secretsIn(file: string): string[] {
  const { walletKey, deviceSeed, address } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return [walletKey, deviceSeed, address].map(String);
}

test('a file under a passphrase contains no plain key and opens only with it', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const { address, deviceId, wallet } = Identity.create({ file, protection: { passphrase: PASSPHRASE } });
  const bytes = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keyHolderOf(file)).toMatchObject({ kind: 'passphrase', scrypt: { N: 131_072, r: 8, p: 1 } });
  const walletKey = Buffer.from(wallet?.privateKey ?? '');
  for (const form of [walletKey.toString('hex'), walletKey.toString('base64url'), address]) {
    expect(bytes).not.toContain(form);
  }
  expect(Identity.open(file, { passphrase: PASSPHRASE })).toMatchObject({ address, deviceId });
  expect(() => Identity.open(file)).toThrow('is protected by a passphrase. Enter it to open the file.');
  expect(() => Identity.open(file, { passphrase: 'another' })).toThrow('the passphrase is wrong');
  expect(readFileSync(file, 'utf8')).toBe(bytes);
});

test('keeps a plain file of an earlier version until there is a passphrase, then seals it', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const { address } = Identity.create({ file });
  const secrets = secretsIn(file);
  expect(keyHolderOf(file)).toBeNull();
  expect(Identity.open(file).address).toBe(address);
  expect(secretsIn(file)).toEqual(secrets);
  expect(Identity.open(file, { passphrase: PASSPHRASE }).address).toBe(address);
  for (const secret of secrets) expect(readFileSync(file, 'utf8')).not.toContain(secret);
  expect(Identity.open(file, { passphrase: PASSPHRASE }).address).toBe(address);
});

test('opens a file with its key that is stored elsewhere', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const key = randomBytes(32);
  const { address } = Identity.create({ file, protection: { key, reference: 'entry 7' } });
  expect(keyHolderOf(file)).toEqual({ kind: 'elsewhere', reference: 'entry 7' });
  expect(Identity.open(file, { key, reference: 'entry 7' }).address).toBe(address);
  const other = { key: randomBytes(32), reference: 'entry 7' };
  expect(() => Identity.open(file, other)).toThrow('the key is wrong');
  expect(() => Identity.open(file)).toThrow('is kept elsewhere');
});

test('refuses a changed sealed file', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const key = randomBytes(32);
  Identity.create({ file, protection: { key, reference: 'here' } });
  const sealed = JSON.parse(readFileSync(file, 'utf8'));
  const bytes = Buffer.from(sealed.data.ciphertext, 'base64');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  sealed.data.ciphertext = bytes.toString('base64');
  writeFileSync(file, JSON.stringify(sealed));
  expect(() => Identity.open(file, { key, reference: 'here' })).toThrow(IdentityError);
});

test('refuses to seal a new or plain file with a weak passphrase', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const protection = { passphrase: 'aaaaaaaa' };
  expect(() => Identity.create({ file, protection })).toThrow(
    'This passphrase is too easy to guess: it repeats itself.',
  );
  expect(existsSync(file)).toBe(false);
  Identity.create({ file });
  const plain = readFileSync(file, 'utf8');
  expect(() => Identity.open(file, protection)).toThrow('it repeats itself');
  expect(readFileSync(file, 'utf8')).toBe(plain);
});
