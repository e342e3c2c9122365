import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import fc, { property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import * as ours from '../../../src/protocol/crypto.ts';
import { isSmallOrderEd25519 } from '../../../src/protocol/ed25519-keys.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';
import * as noble from '../../support/noble.ts';
import { bytes, hex } from '../../support/vectors.ts';

payFullScrypt();

const both: readonly (typeof ours)[] = [ours, noble];

const key = uint8Array({ minLength: 32, maxLength: 32 });
const data = uint8Array({ maxLength: 300 });

test('hashes, authenticates, agrees on keys and signs like the oracle', () => {
  fc.assert(
    property(key, key, data, data, (secret, otherSecret, first, second) => {
      const [a, b] = both.map((each) => {
        const exchange = each.importX25519(secret);
        const signing = each.importEd25519(secret);
        const peer = each.importX25519(otherSecret).publicKey;
        return [
          each.sha256(first),
          (each.sha3 ?? noble.sha3)(first),
          each.hmacSha256(first, second),
          each.hmacSha256(first, second.subarray(0, 1), second.subarray(1)),
          exchange.publicKey,
          each.x25519(exchange, peer),
          signing.publicKey,
          each.signEd25519(signing, first),
        ].map(hex);
      });
      expect(a).toEqual(b);
      expect(a?.[2]).toBe(a?.[3]);
    }),
    { numRuns: 50 },
  );
});

test('verifies the oracle’s signatures and nothing else', () => {
  for (const [signing, verifying] of [
    [noble, ours],
    [ours, noble],
  ] as const) {
    fc.assert(
      property(key, data, (seed, message) => {
        const device = signing.importEd25519(seed);
        const signature = signing.signEd25519(device, message);
        const { publicKey } = device;
        expect(verifying.verifyEd25519(publicKey, message, signature)).toBe(true);
        const position = message.length % 64;
        const forged = signature.map((byte, index) => (index === position ? byte ^ 1 : byte));
        expect(verifying.verifyEd25519(publicKey, message, forged)).toBe(false);
        expect(verifying.verifyEd25519(publicKey, Uint8Array.of(...message, 0), signature)).toBe(false);
      }),
      { numRuns: 30 },
    );
  }
});

test('agrees with RFC 8032, section 7.1, test 1', () => {
  const device = ours.importEd25519(
    bytes('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
  );
  expect(hex(device.publicKey)).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  expect(hex(ours.signEd25519(device, new Uint8Array(0)))).toBe(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555' +
      'fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
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

test('generates a new X25519 key each time with its public half', () => {
  const [first, second] = [ours.generateX25519(), ours.generateX25519()];
  expect(hex(first.publicKey)).not.toBe(hex(second.publicKey));
  expect(hex(ours.x25519(first, second.publicKey))).toBe(hex(ours.x25519(second, first.publicKey)));
});

test('refuses keys of another length', () => {
  const short = new Uint8Array(31).fill(1);
  expect(() => ours.importX25519(short)).toThrow();
  expect(() => ours.importEd25519(short)).toThrow();
  expect(() => ours.x25519(ours.generateX25519(), short)).toThrow();
});

test('verifies nothing with malformed keys and signatures, and does not throw', () => {
  const device = ours.importEd25519(bytes('11'.repeat(32)));
  const signature = ours.signEd25519(device, bytes('00'));
  expect(ours.verifyEd25519(device.publicKey.subarray(1), bytes('00'), signature)).toBe(false);
  expect(ours.verifyEd25519(device.publicKey, bytes('00'), signature.subarray(1))).toBe(false);
  expect(ours.verifyEd25519(bytes('ff'.repeat(32)), bytes('00'), signature)).toBe(false);
});

test('refuses signatures of a key of small order, which would be valid for every message', () => {
  const identity = bytes(`01${'00'.repeat(31)}`);
  const signature = bytes(`01${'00'.repeat(63)}`);
  expect(ours.verifyEd25519(identity, bytes('00'), signature)).toBe(false);
});

test('detects every encoding of a key of small order and no other key', () => {
  const torsion = ED25519_TORSION_SUBGROUP.map(bytes);
  const aboveP = ['ed', 'ee'].flatMap((low) =>
    ['7f', 'ff'].map((high) => bytes(low + 'ff'.repeat(30) + high)),
  );
  for (const key of [...torsion, ...aboveP]) expect(isSmallOrderEd25519(key), hex(key)).toBe(true);
  for (let seed = 0; seed < 50; seed++) {
    const { publicKey } = ours.importEd25519(new Uint8Array(32).fill(seed));
    expect(isSmallOrderEd25519(publicKey)).toBe(false);
  }
});

test('opens nothing with a cut tag', () => {
  const [key, nonce, none] = [bytes('11'.repeat(32)), bytes('22'.repeat(12)), new Uint8Array(0)];
  const sealed = ours.encryptAesGcm(key, nonce, none, bytes('0102'));
  expect(hex(ours.decryptAesGcm(key, nonce, none, sealed))).toBe('0102');
  for (let length = 0; length < sealed.length; length++) {
    expect(() => ours.decryptAesGcm(key, nonce, none, sealed.subarray(0, length))).toThrow();
  }
});
