/**
 * The functions of src/protocol/crypto.ts by the audited noble libraries: its oracle in tests.
 */
import { gcm } from '@noble/ciphers/aes.js';
import { x25519 as curve, ed25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { sha3_256 as sha3 } from '@noble/hashes/sha3.js';
import { randomBytes } from '@noble/hashes/utils.js';
import { concatBytes, encodeBase64Url } from '../../src/protocol/encoding.ts';

export { randomBytes, sha3, sha256 };

interface NobleKey {
  readonly publicKey: Uint8Array;
  readonly secret: Uint8Array;
}

const secretOf = (key: object): Uint8Array => (key as NobleKey).secret;

export function sha256Text(data: Uint8Array): string {
  return encodeBase64Url(sha256(data));
}

export function sha256Stream() {
  const running = sha256.create();
  return {
    update: (data: Uint8Array) => void running.update(data),
    digest: () => running.digest(),
  };
}

export function hmacSha256(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array {
  return hmac(sha256, key, concatBytes(...message));
}

export function importX25519(secret: Uint8Array): NobleKey {
  return { secret: Uint8Array.from(secret), publicKey: curve.getPublicKey(secret) };
}

export function generateX25519(): NobleKey {
  return importX25519(randomBytes(32));
}

export function x25519(privateKey: object, publicKey: Uint8Array): Uint8Array {
  return curve.getSharedSecret(secretOf(privateKey), publicKey);
}

export function importEd25519(seed: Uint8Array): NobleKey {
  return { secret: Uint8Array.from(seed), publicKey: ed25519.getPublicKey(seed) };
}

export function signEd25519(privateKey: object, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, secretOf(privateKey));
}

export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

export function encryptAesGcm(
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  into: Uint8Array = new Uint8Array(plaintext.length + 16),
): Uint8Array {
  into.set(gcm(key, nonce, aad).encrypt(plaintext));
  return into.subarray(0, plaintext.length + 16);
}

export function decryptAesGcm(
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  sealed: Uint8Array,
): Uint8Array {
  return gcm(key, nonce, aad).decrypt(sealed);
}

export function scrypt(
  password: Uint8Array,
  salt: Uint8Array,
  cost: { N: number; r: number; p: number },
  length: number,
): Promise<Uint8Array> {
  return scryptAsync(password, salt, { ...cost, dkLen: length });
}
