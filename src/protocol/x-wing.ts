/**
 * X-Wing: ML-KEM-768 and X25519 as one key encapsulation, safe as long as either of them is
 * (draft-connolly-cfrg-xwing-kem; in HPKE's registry MLKEM768-X25519, 0x647a).
 */
import { sha3_256, shake256 } from '@noble/hashes/sha3.js';
import { importX25519, type PrivateKey, sha3, x25519 } from './crypto.ts';
import { concatBytes } from './encoding.ts';
import { mlKem } from './ml-kem/chosen.ts';
import {
  type Encapsulated,
  ML_KEM_CIPHERTEXT_BYTES,
  type MlKem,
  type MlKemPrivateKey,
} from './ml-kem/ml-kem.ts';

/** Both halves of a public key. */
export interface HybridPublicKey {
  /** 32 bytes. */
  readonly x25519: Uint8Array;
  /** 1,184 bytes. */
  readonly mlKem: Uint8Array;
}

/** Both halves of a private key. */
export interface HybridPrivateKey {
  readonly x25519: PrivateKey;
  readonly mlKem: MlKemPrivateKey;
}

const X25519_BYTES = 32;
/** Length of both ciphertexts: 1,088 bytes and 32. */
export const HYBRID_CIPHERTEXT_BYTES = ML_KEM_CIPHERTEXT_BYTES + X25519_BYTES;
const SEED_BYTES = 32;
const LABEL = Uint8Array.of(0x5c, 0x2e, 0x2f, 0x2f, 0x5e, 0x5c);

/**
 * The seeds of both halves, from one: d || z of ML-KEM, 64 bytes, and the X25519 private key, 32 bytes.
 * @throws unless the seed has 32 bytes
 */
export function expandSeed(seed: Uint8Array): { mlKem: Uint8Array; x25519: Uint8Array } {
  if (seed.length !== SEED_BYTES) throw new Error('the seed of a hybrid key has 32 bytes');
  const expanded = shake256(seed, { dkLen: 96 });
  return { mlKem: expanded.slice(0, 64), x25519: expanded.slice(64) };
}

/**
 * A private key from its seed of 32 bytes.
 * @throws for another length
 */
export function importHybrid(seed: Uint8Array, backend: MlKem = mlKem): HybridPrivateKey {
  const seeds = expandSeed(seed);
  return { x25519: importX25519(seeds.x25519), mlKem: backend.importKey(seeds.mlKem) };
}

/** The public halves of a private key. */
export function hybridPublicKey({ x25519, mlKem }: HybridPrivateKey): HybridPublicKey {
  return { x25519: x25519.publicKey, mlKem: mlKem.publicKey };
}

/**
 * A secret for the owner of a key.
 * @param ephemeral fresh for each call
 * @param encapsulate ML-KEM's; replaced only by tests with fixed randomness
 * @returns `ciphertext`: ML-KEM's, then the ephemeral public key
 * @throws for an unacceptable public key
 */
export function encapsulateHybrid(
  recipient: HybridPublicKey,
  ephemeral: PrivateKey,
  encapsulate: MlKem['encapsulate'] = mlKem.encapsulate,
): Encapsulated {
  const lattice = encapsulate(recipient.mlKem);
  const dh = x25519(ephemeral, recipient.x25519);
  return {
    ciphertext: concatBytes(lattice.ciphertext, ephemeral.publicKey),
    sharedSecret: combine(lattice.sharedSecret, dh, ephemeral.publicKey, recipient.x25519),
  };
}

/**
 * The secret in a ciphertext. A ciphertext for another key returns another secret and no error.
 * @throws for another length than 1,120 bytes, and if its X25519 half has small order
 */
export function decapsulateHybrid(key: HybridPrivateKey, ciphertext: Uint8Array): Uint8Array {
  if (ciphertext.length !== HYBRID_CIPHERTEXT_BYTES) throw new Error('a hybrid ciphertext has 1,120 bytes');
  const sent = ciphertext.subarray(ML_KEM_CIPHERTEXT_BYTES);
  const lattice = key.mlKem.decapsulate(ciphertext.subarray(0, ML_KEM_CIPHERTEXT_BYTES));
  return combine(lattice, x25519(key.x25519, sent), sent, key.x25519.publicKey);
}

/** SHA3-256(ss_M || ss_X || ct_X || pk_X || label) of section 5.3: 32 bytes. */
function combine(lattice: Uint8Array, dh: Uint8Array, sent: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return (sha3 ?? sha3_256)(concatBytes(lattice, dh, sent, publicKey, LABEL));
}
