import { createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  openBox,
  openWithPassphrase,
  sealBox,
  sealWithPassphrase,
} from '../../../src/base/node/secret-box.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';

const secret = randomBytes(32);

test('a box opens only with its key and purpose', () => {
  const key = randomBytes(32);
  const box = sealBox(key, secret, 'purpose');
  expect(openBox(key, box, 'purpose')).toEqual(secret);
  expect(openBox(randomBytes(32), box, 'purpose')).toBeNull();
  expect(openBox(key, box, 'another purpose')).toBeNull();
  expect(openBox(key, { ...box, nonce: randomBytes(12).toString('base64') }, 'purpose')).toBeNull();
  expect(openBox(key, { ...box, nonce: '' }, 'purpose')).toBeNull();
  expect(openBox(key, { ...box, ciphertext: '' }, 'purpose')).toBeNull();
});

test('detects every changed bit of a box', () => {
  const key = randomBytes(32);
  const box = sealBox(key, secret, 'purpose');
  const bytes = Buffer.from(box.ciphertext, 'base64');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(openBox(key, { ...box, ciphertext: changed.toString('base64') }, 'purpose')).toBeNull();
  }
});

describe('at its real cost', () => {
  payFullScrypt();

  test('derives the key by scrypt with N=2^17, r=8, p=1', async () => {
    const box = await sealWithPassphrase('correct horse', secret, 'purpose');
    expect(box.scrypt).toEqual({ N: 131_072, r: 8, p: 1 });
    expect(Buffer.from(box.salt, 'base64')).toHaveLength(32);
    const key = scryptSync('correct horse', Buffer.from(box.salt, 'base64'), 32, {
      N: 2 ** 17,
      r: 8,
      p: 1,
      maxmem: 2 ** 28,
    });
    const sealed = Buffer.from(box.ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(box.nonce, 'base64'));
    decipher.setAAD(Buffer.from(`purpose under a passphrase, scrypt N=131072 r=8 p=1 salt=${box.salt}`));
    decipher.setAuthTag(sealed.subarray(-16));
    expect(Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])).toEqual(secret);
  });
});

test('a passphrase opens its box in any Unicode form, and no other does', async () => {
  const box = await sealWithPassphrase('caf\u00e9 au lait', secret, 'purpose');
  expect(await openWithPassphrase('cafe\u0301 au lait', box, 'purpose')).toEqual(secret);
  expect(await openWithPassphrase('cafe au lait', box, 'purpose')).toBeNull();
  expect(await openWithPassphrase('caf\u00e9 au lait', box, 'another purpose')).toBeNull();
  const salt = randomBytes(32).toString('base64');
  expect(await openWithPassphrase('caf\u00e9 au lait', { ...box, salt }, 'purpose')).toBeNull();
});

test('the same secret and passphrase never create the same box', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => sealWithPassphrase('correct horse', secret, 'purpose')),
  );
  expect(one?.salt).not.toBe(other?.salt);
  expect(one?.ciphertext).not.toBe(other?.ciphertext);
});
