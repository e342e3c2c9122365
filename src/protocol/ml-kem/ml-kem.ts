/** ML-KEM-768 (FIPS 203): the interface of its two backends, Node's own and one in JavaScript. */

/** Length of a private key: d || z of FIPS 203, section 7.1. */
export const ML_KEM_SEED_BYTES = 64;
export const ML_KEM_PUBLIC_KEY_BYTES = 1184;
export const ML_KEM_CIPHERTEXT_BYTES = 1088;

export interface MlKemPrivateKey {
  /** 1,184 bytes. */
  readonly publicKey: Uint8Array;
  /**
   * The shared secret, 32 bytes. A ciphertext for another key returns another secret and no error.
   * @param ciphertext 1,088 bytes
   * @throws for another length
   */
  decapsulate(ciphertext: Uint8Array): Uint8Array;
}

/** A fresh secret of 32 bytes, and its ciphertext of 1,088 bytes for the owner of a key. */
export interface Encapsulated {
  ciphertext: Uint8Array;
  sharedSecret: Uint8Array;
}

export interface MlKem {
  readonly name: 'node' | 'noble';
  /**
   * A private key from its seed, d || z.
   * @throws unless it has 64 bytes
   */
  importKey(seed: Uint8Array): MlKemPrivateKey;
  /** @throws for a public key that {@link isAcceptableMlKem} refuses */
  encapsulate(publicKey: Uint8Array): Encapsulated;
}

const COEFFICIENTS = 768;
const Q = 3329;

/**
 * Reports whether the bytes are an encapsulation key: its length, and each coefficient below q (FIPS 203, section
 * 7.2).
 */
export function isAcceptableMlKem(publicKey: Uint8Array): boolean {
  if (publicKey.length !== ML_KEM_PUBLIC_KEY_BYTES) return false;
  for (let offset = 0; offset < (COEFFICIENTS / 2) * 3; offset += 3) {
    const [a, b, c] = [publicKey[offset] ?? 0, publicKey[offset + 1] ?? 0, publicKey[offset + 2] ?? 0];
    if ((a | ((b & 15) << 8)) >= Q || ((b >> 4) | (c << 4)) >= Q) return false;
  }
  return true;
}
