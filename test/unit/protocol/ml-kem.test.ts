/**
 * ML-KEM-768, Node's own and the one in JavaScript, with the vectors of Project Wycheproof, and with each other.
 */
import fc, { property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWorking, mlKem } from '../../../src/protocol/ml-kem/chosen.ts';
import { isAcceptableMlKem, type MlKem } from '../../../src/protocol/ml-kem/ml-kem.ts';
import { nativeMlKem } from '../../../src/protocol/ml-kem/native.ts';
import { nobleMlKem } from '../../../src/protocol/ml-kem/noble.ts';
import { bytes, hex, readWycheproof } from '../../support/vectors.ts';

interface Decapsulation {
  seed: string;
  ek: string;
  c: string;
  K: string;
}
interface Encapsulation {
  ek: string;
  m: string;
  c: string;
  K: string;
}

const backends: readonly MlKem[] = [nativeMlKem, nobleMlKem];
const decapsulations = readWycheproof<object, Decapsulation>('mlkem_768_test');
const encapsulations = readWycheproof<object, Encapsulation>('mlkem_768_encaps_test');
const keys = readWycheproof<object, { seed: string; ek: string }>('mlkem_768_keygen_seed_test');

describe.each(backends)('ML-KEM-768 by $name', (backend) => {
  test('decapsulates every published ciphertext, including implicit rejections', () => {
    const counted = { valid: 0, invalid: 0 };
    for (const { tcId, seed, ek, c, K, result } of decapsulations) {
      if (result === 'valid') {
        const key = backend.importKey(bytes(seed));
        expect(hex(key.publicKey), `case ${tcId}`).toBe(ek);
        expect(hex(key.decapsulate(bytes(c))), `case ${tcId}`).toBe(K);
        counted.valid++;
      } else {
        expect(() => backend.importKey(bytes(seed)).decapsulate(bytes(c)), `case ${tcId}`).toThrow();
        counted.invalid++;
      }
    }
    expect(counted).toEqual({ valid: 153, invalid: 40 });
  });

  test('derives every published key from its seed', () => {
    for (const { tcId, seed, ek } of keys) {
      expect(hex(backend.importKey(bytes(seed)).publicKey), `case ${tcId}`).toBe(ek);
    }
    expect(keys).toHaveLength(100);
  });

  test('encapsulates to every published key, and refuses invalid ones', () => {
    const counted = { valid: 0, invalid: 0 };
    for (const { tcId, ek, result } of encapsulations) {
      const publicKey = bytes(ek);
      expect(isAcceptableMlKem(publicKey), `case ${tcId}`).toBe(result === 'valid');
      if (result === 'valid') {
        const { ciphertext, sharedSecret } = backend.encapsulate(publicKey);
        expect([ciphertext.length, sharedSecret.length], `case ${tcId}`).toEqual([1088, 32]);
      } else expect(() => backend.encapsulate(publicKey), `case ${tcId}`).toThrow();
      counted[result === 'valid' ? 'valid' : 'invalid']++;
    }
    expect(counted).toEqual({ valid: 133, invalid: 132 });
  });

  test('refuses seeds and ciphertexts of another length', () => {
    expect(() => backend.importKey(new Uint8Array(63))).toThrow();
    const key = backend.importKey(new Uint8Array(64));
    expect(() => key.decapsulate(new Uint8Array(1087))).toThrow();
    expect(() => key.decapsulate(new Uint8Array(1089))).toThrow();
    expect(() => backend.encapsulate(key.publicKey.subarray(1))).toThrow();
  });

  test('encapsulates to the bytes of each call, also in the same memory and after other keys', () => {
    const [first, second] = [1, 2].map((fill) => backend.importKey(new Uint8Array(64).fill(fill)));
    const memory = new Uint8Array(1184);
    for (const owner of [first, second, first, second]) {
      memory.set(owner?.publicKey ?? []);
      const { ciphertext, sharedSecret } = backend.encapsulate(memory);
      for (const key of [first, second]) {
        expect(hex(key?.decapsulate(ciphertext) ?? memory) === hex(sharedSecret)).toBe(key === owner);
      }
    }
    expect(() => backend.encapsulate(Uint8Array.of(...memory, 0))).toThrow();
    expect(() => backend.encapsulate(memory.with(0, 0xff).with(1, 0xff))).toThrow();
  });

  test('encapsulates to each of two keys that end with the same matrix seed', () => {
    const [key, other] = [1, 2].map((byte) => backend.importKey(new Uint8Array(64).fill(byte)));
    if (!key || !other) throw new Error('two keys were imported');
    // The matrix of `key` and the vector of `other`: a key of its own, which `key` does not open.
    const mixed = Uint8Array.from(other.publicKey);
    mixed.set(key.publicKey.subarray(-32), mixed.length - 32);
    for (let round = 0; round < 2; round++) {
      const { ciphertext, sharedSecret } = backend.encapsulate(key.publicKey);
      expect(hex(key.decapsulate(ciphertext))).toBe(hex(sharedSecret));
      const foreign = backend.encapsulate(mixed);
      expect(hex(key.decapsulate(foreign.ciphertext))).not.toBe(hex(foreign.sharedSecret));
    }
  });

  test('passes the known answers for choosing a backend', () => {
    expect(isWorking(backend)).toBe(true);
  });
});

test('JavaScript creates the published ciphertexts from the published randomness', () => {
  // Node accepts no randomness from outside: its results are opened by the other below.
  for (const { tcId, ek, m, c, K, result } of encapsulations) {
    if (result !== 'valid') continue;
    const { ciphertext, sharedSecret } = nobleMlKem.encapsulate(bytes(ek), bytes(m));
    expect([hex(ciphertext), hex(sharedSecret)], `case ${tcId}`).toEqual([c, K]);
  }
});

test('both backends decapsulate to the same secret, for any seed', () => {
  fc.assert(
    property(uint8Array({ minLength: 64, maxLength: 64 }), (seed) => {
      const [native, noble] = [nativeMlKem.importKey(seed), nobleMlKem.importKey(seed)];
      expect(hex(native.publicKey)).toBe(hex(noble.publicKey));
      for (const backend of backends) {
        const { ciphertext, sharedSecret } = backend.encapsulate(native.publicKey);
        expect(hex(native.decapsulate(ciphertext))).toBe(hex(sharedSecret));
        expect(hex(noble.decapsulate(ciphertext))).toBe(hex(sharedSecret));
        const changed = ciphertext.with(0, (ciphertext[0] ?? 0) ^ 1);
        expect(hex(native.decapsulate(changed))).toBe(hex(noble.decapsulate(changed)));
        expect(hex(native.decapsulate(changed))).not.toBe(hex(sharedSecret));
      }
    }),
    { numRuns: 25 },
  );
});

test('chooses Node’s own if it works, and not if it is absent or wrong', () => {
  expect(mlKem.name).toBe('node');
  const absent = () => {
    throw new TypeError('encapsulate is not a function');
  };
  expect(isWorking({ ...nativeMlKem, encapsulate: absent })).toBe(false);
  const other = (seed: Uint8Array) => nobleMlKem.importKey(seed.with(0, 1));
  expect(isWorking({ ...nobleMlKem, importKey: other })).toBe(false);
  const swapped = (publicKey: Uint8Array) => ({
    ...nobleMlKem.encapsulate(publicKey),
    sharedSecret: publicKey,
  });
  expect(isWorking({ ...nobleMlKem, encapsulate: swapped })).toBe(false);
});
