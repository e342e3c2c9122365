/**
 * ML-KEM-768 by Node's own cryptography, from Node 24.7 on where it stands on OpenSSL 3.5. Other builds may lack it:
 * chosen.ts finds out by trying.
 */
// By its default: a Node without these two functions can still load this file.
import nodeCrypto, { createPrivateKey, createPublicKey } from 'node:crypto';
import { concatBytes } from '../encoding.ts';
import { ML_KEM_PUBLIC_KEY_BYTES, ML_KEM_SEED_BYTES, type MlKem } from './ml-kem.ts';

// RFC 9935: what stands before the seed of a private key in PKCS #8, and before a public key in SubjectPublicKeyInfo.
const PKCS8_PREFIX = Buffer.from('3054020100300b060960864801650304040204428040', 'hex');
const SPKI_PREFIX = Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex');

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
    // Node takes no notice of what stands after the key.
    if (publicKey.length !== ML_KEM_PUBLIC_KEY_BYTES) throw new Error('an ML-KEM public key has 1,184 bytes');
    const spki = Buffer.from(concatBytes(SPKI_PREFIX, publicKey));
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const { ciphertext, sharedKey } = nodeCrypto.encapsulate(key);
    return { ciphertext, sharedSecret: sharedKey };
  },
};
