/**
 * The portable backend: the audited noble libraries, no Node.
 */
import { gcm } from '@noble/ciphers/aes.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes } from '@noble/hashes/utils.js';
import { concatBytes } from '../encoding.ts';
import type { CryptoBackend, PrivateKey } from './backend.ts';

interface NobleKey extends PrivateKey {
  readonly secret: Uint8Array;
}

function secretOf(key: PrivateKey): Uint8Array {
  return (key as NobleKey).secret;
}

function importX25519(secret: Uint8Array): NobleKey {
  return { secret: Uint8Array.from(secret), publicKey: x25519.getPublicKey(secret) };
}

export const noble: CryptoBackend = {
  name: 'noble',
  randomBytes: (length) => randomBytes(length),
  sha256: (data) => sha256(data),
  hmacSha256: (key, ...message) => hmac(sha256, key, concatBytes(...message)),

  generateX25519: () => importX25519(randomBytes(32)),
  importX25519,
  x25519: (privateKey, publicKey) => x25519.getSharedSecret(secretOf(privateKey), publicKey),

  importEd25519(seed) {
    const key: NobleKey = { secret: Uint8Array.from(seed), publicKey: ed25519.getPublicKey(seed) };
    return key;
  },
  signEd25519: (privateKey, message) => ed25519.sign(message, secretOf(privateKey)),
  verifyEd25519(publicKey, message, signature) {
    try {
      return ed25519.verify(signature, message, publicKey, { zip215: false });
    } catch {
      return false;
    }
  },

  encryptAesGcm: (key, nonce, aad, plaintext) => gcm(key, nonce, aad).encrypt(plaintext),
  decryptAesGcm: (key, nonce, aad, sealed) => gcm(key, nonce, aad).decrypt(sealed),
};
