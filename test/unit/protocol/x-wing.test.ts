import { expect, test } from 'vitest';
import { importX25519 } from '../../../src/protocol/crypto.ts';
import { nativeMlKem } from '../../../src/protocol/ml-kem/native.ts';
import { nobleMlKem } from '../../../src/protocol/ml-kem/noble.ts';
import {
  decapsulateHybrid,
  encapsulateHybrid,
  hybridPublicKey,
  importHybrid,
} from '../../../src/protocol/x-wing.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

interface Vector {
  seed: string;
  randomness: string;
  pk: string;
  sk: string;
  ct: string;
  ss: string;
}
const vectors = readVectors<Vector[]>('hybrid/mlkem768-x25519.json');
const backends = [nativeMlKem, nobleMlKem];

test.each(backends)('returns all ten published keys and secrets, by $name', (backend) => {
  expect(vectors).toHaveLength(10);
  for (const { seed, sk, pk, ct, ss } of vectors) {
    expect(sk).toBe(seed);
    const key = importHybrid(bytes(seed), backend);
    const { mlKem, x25519 } = hybridPublicKey(key);
    expect(hex(mlKem) + hex(x25519)).toBe(pk);
    expect(hex(decapsulateHybrid(key, bytes(ct)))).toBe(ss);
  }
});

test('returns all ten published ciphertexts from the published randomness', () => {
  for (const { seed, randomness, ct, ss } of vectors) {
    const [m, ephemeral] = [bytes(randomness).slice(0, 32), importX25519(bytes(randomness).slice(32))];
    const recipient = hybridPublicKey(importHybrid(bytes(seed)));
    const made = encapsulateHybrid(recipient, ephemeral, (key) => nobleMlKem.encapsulate(key, m));
    expect([hex(made.ciphertext), hex(made.sharedSecret)]).toEqual([ct, ss]);
  }
});

test.each(backends)('opens ciphertexts of either backend, by $name', (backend) => {
  const key = importHybrid(new Uint8Array(32).fill(7), backend);
  for (const { encapsulate } of backends) {
    const ephemeral = importX25519(new Uint8Array(32).fill(9));
    const { ciphertext, sharedSecret } = encapsulateHybrid(hybridPublicKey(key), ephemeral, encapsulate);
    expect(ciphertext).toHaveLength(1120);
    expect(hex(decapsulateHybrid(key, ciphertext))).toBe(hex(sharedSecret));
  }
});

test('refuses a seed or ciphertext of another length', () => {
  expect(() => importHybrid(new Uint8Array(31))).toThrow();
  const key = importHybrid(new Uint8Array(32));
  expect(() => decapsulateHybrid(key, new Uint8Array(1119).fill(9))).toThrow();
  expect(() => decapsulateHybrid(key, new Uint8Array(1121).fill(9))).toThrow();
});

test('refuses a ciphertext whose X25519 half has small order', () => {
  const key = importHybrid(new Uint8Array(32));
  expect(() => decapsulateHybrid(key, new Uint8Array(1120))).toThrow();
});
