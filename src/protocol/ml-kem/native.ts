/**
 * ML-KEM-768 by Node's own cryptography, from Node 24.7 on with OpenSSL 3.5. Other builds may lack it: chosen.ts
 * tests it.
 */
// A default import: a Node without these two functions can still load this file.
import nodeCrypto, { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import { concatBytes } from '../encoding.ts';
import { ML_KEM_PUBLIC_KEY_BYTES, ML_KEM_SEED_BYTES, type MlKem } from './ml-kem.ts';

// The prefixes of RFC 9935: of the seed of a private key in PKCS #8, and of a public key in SubjectPublicKeyInfo.
const PKCS8_PREFIX = Buffer.from('3054020100300b060960864801650304040204428040', 'hex');
const SPKI_PREFIX = Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex');

/** Length of the seed of the matrix, the end of a public key (FIPS 203, section 7.1). */
const MATRIX_SEED_BYTES = 32;

/**
 * Imported public keys: importing one costs more than encapsulating. 8 KB each. They are found by the seed of their matrix, because
 * making and hashing a key of 1,184 characters takes 2 µs, and then compared in full. Of keys with the same seed the last one is kept.
 */
const publicKeys = new BoundedMap<string, { bytes: Buffer; key: KeyObject }>(1024);

function importPublic(publicKey: Uint8Array): KeyObject {
  // Node ignores bytes after the key.
  if (publicKey.length !== ML_KEM_PUBLIC_KEY_BYTES) throw new Error('an ML-KEM public key has 1,184 bytes');
  const view = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.length);
  const name = view.toString('latin1', ML_KEM_PUBLIC_KEY_BYTES - MATRIX_SEED_BYTES);
  const known = publicKeys.get(name);
  if (known?.bytes.equals(view)) return known.key;
  // As in crypto.ts, PEM is imported faster than DER.
  const spki = Buffer.concat([SPKI_PREFIX, publicKey]).toString('base64');
  const key = createPublicKey(`-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----`);
  publicKeys.set(name, { bytes: Buffer.from(publicKey), key });
  return key;
}

export const nativeMlKem: MlKem = {
  name: 'node',

  importKey(seed) {
    if (seed.length !== ML_KEM_SEED_BYTES) throw new Error('an ML-KEM seed has 64 bytes');
    const pkcs8 = Buffer.from(concatBytes(PKCS8_PREFIX, seed));
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return {
      publicKey: new Uint8Array(spki.subarray(SPKI_PREFIX.length)),
      decapsulate: (ciphertext) => nodeCrypto.decapsulate(key, ciphertext),
    };
  },

  encapsulate(publicKey) {
    const { ciphertext, sharedKey } = nodeCrypto.encapsulate(importPublic(publicKey));
    return { ciphertext, sharedSecret: sharedKey };
  },
};
