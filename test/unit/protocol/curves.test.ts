/** X25519 and Ed25519 by both backends, with published vectors, with noble, and with each other. */

import { createRequire } from 'node:module';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import fc, { property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choose, curves, isWorking } from '../../../src/protocol/curves/chosen.ts';
import type { Curves } from '../../../src/protocol/curves/curves.ts';
import { nodeCurves } from '../../../src/protocol/curves/node.ts';
import { loadSodium } from '../../../src/protocol/curves/sodium.ts';
import { isCanonicalEd25519, isSmallOrderEd25519 } from '../../../src/protocol/ed25519-keys.ts';
import { concatBytes } from '../../../src/protocol/encoding.ts';
import { isAcceptableX25519, isCanonicalX25519 } from '../../../src/protocol/x25519-keys.ts';
import * as noble from '../../support/noble.ts';
import { bytes, hex, readWycheproof } from '../../support/vectors.ts';

const sodium = loadSodium();
if (!sodium) throw new Error('libsodium has no build for this system, and its tests need one');
const backends: readonly Curves[] = [sodium, nodeCurves];

const key = uint8Array({ minLength: 32, maxLength: 32 });
const data = uint8Array({ maxLength: 300 });
const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const torsion = ED25519_TORSION_SUBGROUP.map(bytes);

const numberOf = (little: Uint8Array) => BigInt(`0x${hex(Uint8Array.from(little).reverse())}`);
const bytesOf = (number: bigint) => bytes(number.toString(16).padStart(64, '0')).reverse();

/** R || S with S = r + h · a, made from points that a signer may choose freely. */
function signatureOf(publicKey: Uint8Array, a: bigint, R: Uint8Array, r: bigint, message: Uint8Array) {
  const h = numberOf(sha512(concatBytes(R, publicKey, message))) % ORDER;
  return concatBytes(R, bytesOf((r + h * a) % ORDER));
}

describe.each(backends)('by $name', (backend) => {
  test('agrees on keys and signs like noble', () => {
    fc.assert(
      property(key, key, data, (secret, otherSecret, message) => {
        const [a, b] = [backend, noble].map((each) => {
          const exchange = each.importX25519(secret);
          const signing = each.importEd25519(secret);
          return [
            exchange.publicKey,
            each.x25519(exchange, each.importX25519(otherSecret).publicKey),
            signing.publicKey,
            each.signEd25519(signing, message),
          ].map(hex);
        });
        expect(a).toEqual(b);
      }),
      { numRuns: 50 },
    );
  });

  test('verifies signatures of noble and nothing else', () => {
    fc.assert(
      property(key, data, (seed, message) => {
        const device = noble.importEd25519(seed);
        const signature = noble.signEd25519(device, message);
        const { publicKey } = device;
        expect(backend.verifyEd25519(publicKey, message, signature)).toBe(true);
        const position = message.length % 64;
        const forged = signature.map((byte, index) => (index === position ? byte ^ 1 : byte));
        expect(backend.verifyEd25519(publicKey, message, forged)).toBe(false);
        expect(backend.verifyEd25519(publicKey, Uint8Array.of(...message, 0), signature)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('agrees with RFC 8032, section 7.1, test 1', () => {
    const device = backend.importEd25519(
      bytes('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
    );
    expect(hex(device.publicKey)).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    expect(hex(backend.signEd25519(device, new Uint8Array(0)))).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555' +
        'fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  test('agrees with Wycheproof on X25519: 518 cases; low-order and non-canonical points are refused', () => {
    const cases = readWycheproof<object, { public: string; private: string; shared: string }>('x25519_test');
    const counted = { shared: 0, zeroSecret: 0, nonCanonical: 0 };
    for (const { flags, public: publicKey, private: secret, shared, tcId } of cases) {
      const peer = bytes(publicKey);
      const agree = () => hex(backend.x25519(backend.importX25519(bytes(secret)), peer));
      if (flags.includes('NonCanonicalPublic')) {
        expect(isCanonicalX25519(peer), `case ${tcId}`).toBe(false);
        counted.nonCanonical++;
      }
      if (flags.includes('ZeroSharedSecret')) {
        expect(agree, `case ${tcId}`).toThrow();
        expect(isAcceptableX25519(peer), `case ${tcId}`).toBe(false);
        counted.zeroSecret++;
      } else {
        expect(agree(), `case ${tcId}`).toBe(shared);
        expect(isAcceptableX25519(peer), `case ${tcId}`).toBe(!flags.includes('NonCanonicalPublic'));
        counted.shared++;
      }
    }
    expect(counted).toEqual({ shared: 487, zeroSecret: 31, nonCanonical: 19 });
  });

  test('agrees with Wycheproof on Ed25519: 151 cases', () => {
    interface Case {
      msg: string;
      sig: string;
    }
    const counted = { valid: 0, invalid: 0 };
    for (const { tcId, publicKey, msg, sig, result } of readWycheproof<{ publicKey: { pk: string } }, Case>(
      'ed25519_test',
    )) {
      const isValid = backend.verifyEd25519(bytes(publicKey.pk), bytes(msg), bytes(sig));
      expect(isValid, `case ${tcId}`).toBe(result === 'valid');
      counted[result === 'valid' ? 'valid' : 'invalid']++;
    }
    expect(counted).toEqual({ valid: 88, invalid: 63 });
  });

  test('generates a new X25519 key each time with its public half', () => {
    const [first, second] = [backend.generateX25519(), backend.generateX25519()];
    expect(hex(first.publicKey)).not.toBe(hex(second.publicKey));
    expect(hex(backend.x25519(first, second.publicKey))).toBe(hex(backend.x25519(second, first.publicKey)));
  });

  test('refuses keys of another length', () => {
    for (const wrong of [new Uint8Array(31).fill(1), new Uint8Array(33).fill(1)]) {
      expect(() => backend.importX25519(wrong)).toThrow('has 32 bytes');
      expect(() => backend.importEd25519(wrong)).toThrow('has 32 bytes');
      expect(() => backend.x25519(backend.generateX25519(), wrong)).toThrow();
    }
  });

  test('keeps its own copy of a private key', () => {
    const secret = new Uint8Array(32).fill(5);
    const [exchange, signing] = [backend.importX25519(secret), backend.importEd25519(secret)];
    const peer = backend.generateX25519();
    secret.fill(0);
    expect(hex(backend.x25519(exchange, peer.publicKey))).toBe(hex(backend.x25519(peer, exchange.publicKey)));
    const signature = backend.signEd25519(signing, peer.publicKey);
    expect(backend.verifyEd25519(signing.publicKey, peer.publicKey, signature)).toBe(true);
  });

  test('reads bytes at any place of any memory', () => {
    const parts: ((of: Uint8Array) => Uint8Array)[] = [
      (of) => Uint8Array.of(1, 2, 3, ...of, 4).subarray(3, 3 + of.length),
      (of) => {
        const shared = new Uint8Array(new SharedArrayBuffer(of.length + 5), 3, of.length);
        shared.set(of);
        return shared;
      },
      (of) => Buffer.from(of),
    ];
    const [seed, message] = [bytes('11'.repeat(32)), bytes('0102')];
    const [signing, exchange] = [backend.importEd25519(seed), backend.importX25519(seed)];
    const signature = backend.signEd25519(signing, message);
    const peer = backend.importX25519(bytes('22'.repeat(32))).publicKey;
    for (const part of parts) {
      expect(hex(backend.importEd25519(part(seed)).publicKey)).toBe(hex(signing.publicKey));
      expect(hex(backend.importX25519(part(seed)).publicKey)).toBe(hex(exchange.publicKey));
      expect(hex(backend.x25519(exchange, part(peer)))).toBe(hex(backend.x25519(exchange, peer)));
      expect(hex(backend.signEd25519(signing, part(message)))).toBe(hex(signature));
      expect(backend.verifyEd25519(part(signing.publicKey), part(message), part(signature))).toBe(true);
    }
  });

  test('verifies nothing with malformed keys and signatures, and does not throw', () => {
    const device = backend.importEd25519(bytes('11'.repeat(32)));
    const signature = backend.signEd25519(device, bytes('00'));
    const verifies = (publicKey: Uint8Array, of: Uint8Array) =>
      backend.verifyEd25519(publicKey, bytes('00'), of);
    expect(verifies(device.publicKey, signature)).toBe(true);
    expect(verifies(device.publicKey.subarray(1), signature)).toBe(false);
    expect(verifies(device.publicKey, signature.subarray(1))).toBe(false);
    expect(verifies(device.publicKey, Uint8Array.of(...signature, 0))).toBe(false);
    expect(verifies(device.publicKey, new Uint8Array(0))).toBe(false);
    expect(verifies(bytes('ff'.repeat(32)), signature)).toBe(false);
  });

  test('refuses signatures of a key of small order, which would be valid for every message', () => {
    const signature = bytes(`01${'00'.repeat(63)}`);
    for (const point of torsion) expect(backend.verifyEd25519(point, bytes('00'), signature)).toBe(false);
  });

  test('refuses an R of small order, which noble accepts', () => {
    const publicKey = Point.BASE.multiply(7n).toBytes();
    const signature = signatureOf(publicKey, 7n, Point.ZERO.toBytes(), 0n, bytes('00'));
    expect(noble.verifyEd25519(publicKey, bytes('00'), signature)).toBe(true);
    expect(backend.verifyEd25519(publicKey, bytes('00'), signature)).toBe(false);
  });

  test('refuses a key and an R with a part of small order, which a check with the cofactor accepts', () => {
    const message = bytes('00');
    const part = Point.fromBytes(torsion[3] ?? message);
    const plain = Point.BASE.multiply(7n);
    const mixed = plain.add(part);
    const r = Point.BASE.multiply(9n);
    for (const [publicKey, R] of [
      [mixed, r],
      [plain, r.add(part)],
    ] as const) {
      const signature = signatureOf(publicKey.toBytes(), 7n, R.toBytes(), 9n, message);
      expect(noble.verifyEd25519(publicKey.toBytes(), message, signature)).toBe(true);
      expect(backend.verifyEd25519(publicKey.toBytes(), message, signature)).toBe(false);
    }
  });

  test('refuses an S above the order', () => {
    const device = backend.importEd25519(bytes('11'.repeat(32)));
    const signature = backend.signEd25519(device, bytes('00'));
    const above = bytesOf(numberOf(signature.slice(32)) + ORDER);
    expect(
      backend.verifyEd25519(device.publicKey, bytes('00'), concatBytes(signature.slice(0, 32), above)),
    ).toBe(false);
  });
});

test('detects every encoding of a key of small order and no other key', () => {
  const aboveP = ['ed', 'ee'].flatMap((low) =>
    ['7f', 'ff'].map((high) => bytes(low + 'ff'.repeat(30) + high)),
  );
  for (const point of [...torsion, ...aboveP]) expect(isSmallOrderEd25519(point), hex(point)).toBe(true);
  for (const point of aboveP) expect(isCanonicalEd25519(point), hex(point)).toBe(false);
  for (let seed = 0; seed < 50; seed++) {
    const { publicKey } = curves.importEd25519(new Uint8Array(32).fill(seed));
    expect(isSmallOrderEd25519(publicKey)).toBe(false);
    expect(isCanonicalEd25519(publicKey)).toBe(true);
  }
});

test('chooses libsodium if it works here, else Node', () => {
  expect(curves.name).toBe('libsodium');
  expect(choose(null, nodeCurves)).toBe(nodeCurves);
  expect(choose({ ...sodium, verifyEd25519: () => true }, nodeCurves)).toBe(nodeCurves);
  expect(choose({ ...sodium, importX25519: nodeCurves.generateX25519 }, nodeCurves)).toBe(nodeCurves);
  for (const backend of backends) expect(isWorking(backend), backend.name).toBe(true);
});

test('has no libsodium where it has no build', () => {
  const require = createRequire(import.meta.url);
  const absent = Object.assign((name: string) => require(`${name}/absent`), require);
  expect(loadSodium(absent)).toBeNull();
});

test('a private key of libsodium is not printed, copied or serialized', () => {
  const secret = new Uint8Array(32).fill(0x5a);
  for (const made of [sodium.importX25519(secret), sodium.importEd25519(secret)]) {
    expect(Object.keys(structuredClone(made))).toEqual(['publicKey']);
    expect(Object.keys(JSON.parse(JSON.stringify(made)))).toEqual(['publicKey']);
  }
});
