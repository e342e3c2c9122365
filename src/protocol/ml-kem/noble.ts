/**
 * ML-KEM-768 in JavaScript, by @noble/post-quantum: for a Node without its own, and for known answers with fixed
 * randomness.
 */
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import type { Encapsulated, MlKem } from './ml-kem.ts';

export interface NobleMlKem extends MlKem {
  /** @param randomness `m` of FIPS 203, section 6.2: 32 secret bytes; fixed only by test vectors */
  encapsulate(publicKey: Uint8Array, randomness?: Uint8Array): Encapsulated;
}

export const nobleMlKem: NobleMlKem = {
  name: 'noble',

  importKey(seed) {
    const { publicKey, secretKey } = ml_kem768.keygen(seed);
    return { publicKey, decapsulate: (ciphertext) => ml_kem768.decapsulate(ciphertext, secretKey) };
  },

  encapsulate(publicKey, randomness) {
    const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey, randomness);
    return { ciphertext: cipherText, sharedSecret };
  },
};
