import fc, { property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import * as ours from '../../../src/protocol/crypto.ts';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';
import * as noble from '../../support/noble.ts';
import { bytes, hex } from '../../support/vectors.ts';

payFullScrypt();

const both: readonly (typeof ours)[] = [ours, noble];

const data = uint8Array({ maxLength: 300 });

test('hashes and authenticates like the oracle', () => {
  fc.assert(
    property(data, data, (first, second) => {
      const [a, b] = both.map((each) => {
        return [
          each.sha256(first),
          decodeBase64Url(each.sha256Text(first)),
          (each.sha3 ?? noble.sha3)(first),
          each.hmacSha256(first, second),
          each.hmacSha256(first, second.subarray(0, 1), second.subarray(1)),
        ].map(hex);
      });
      expect(a).toEqual(b);
      expect(a?.[0]).toBe(a?.[1]);
      expect(a?.[3]).toBe(a?.[4]);
    }),
    { numRuns: 50 },
  );
});

test('derives like the oracle, and as RFC 7914, section 12', async () => {
  const [password, salt] = ['pleaseletmein', 'SodiumChloride'].map((text) => new TextEncoder().encode(text));
  if (!password || !salt) throw new Error('two texts were encoded');
  const derived = await Promise.all(
    both.map((each) => each.scrypt(password, salt, { N: 16_384, r: 8, p: 1 }, 64)),
  );
  expect(derived.map(hex)).toEqual(
    Array(2).fill(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
        'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    ),
  );
});

test('opens nothing with a cut tag', () => {
  const [key, nonce, none] = [bytes('11'.repeat(32)), bytes('22'.repeat(12)), new Uint8Array(0)];
  const sealed = ours.encryptAesGcm(key, nonce, none, bytes('0102'));
  expect(hex(ours.decryptAesGcm(key, nonce, none, sealed))).toBe('0102');
  for (let length = 0; length < sealed.length; length++) {
    expect(() => ours.decryptAesGcm(key, nonce, none, sealed.subarray(0, length))).toThrow();
  }
});

test.each([
  ['key', 31, 12],
  ['key', 33, 12],
  ['nonce', 32, 11],
  ['nonce', 32, 13],
])('AES-GCM refuses a %s of another length: %d and %d bytes', (_, keyBytes, nonceBytes) => {
  const [key, nonce, none] = [new Uint8Array(keyBytes), new Uint8Array(nonceBytes), new Uint8Array(0)];
  expect(() => ours.encryptAesGcm(key, nonce, none, none)).toThrow('a key of 32 bytes and a nonce of 12');
  expect(() => ours.decryptAesGcm(key, nonce, none, new Uint8Array(16))).toThrow('a key of 32 bytes');
});
