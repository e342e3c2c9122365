/**
 * X25519 and Ed25519 by libsodium, which verifies a signature in half the time of OpenSSL and needs no imported key objects. There is
 * no build of it for musl: chosen.ts tests whether it loads.
 */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { type Curves, KEY_BYTES, type PrivateKey, requireLength, SIGNATURE_BYTES } from './curves.ts';

/** The functions in use of https://sodium-friends.github.io/docs/docs/api: the result comes first. */
interface Sodium {
  crypto_scalarmult_base(publicKey: Uint8Array, secret: Uint8Array): void;
  crypto_scalarmult(shared: Uint8Array, secret: Uint8Array, publicKey: Uint8Array): void;
  crypto_sign_seed_keypair(publicKey: Uint8Array, secret: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secret: Uint8Array): void;
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** A private key that is neither printed nor copied to another thread by accident. */
class SodiumKey implements PrivateKey {
  readonly publicKey: Uint8Array;
  readonly #secret: Uint8Array;

  constructor(publicKey: Uint8Array, secret: Uint8Array) {
    this.publicKey = publicKey;
    this.#secret = secret;
  }

  /** X25519: 32 bytes. Ed25519: 64, the seed and the public key. */
  static secretOf(key: PrivateKey): Uint8Array {
    return (key as SodiumKey).#secret;
  }
}

/**
 * @param require replaced only by tests
 * @returns null if libsodium has no build for this system
 */
export function loadSodium(require: NodeJS.Require = createRequire(import.meta.url)): Curves | null {
  try {
    return withSodium(require('sodium-native') as Sodium);
  } catch {
    return null;
  }
}

function withSodium(sodium: Sodium): Curves {
  // Reused memory. V8 stores a small array inside its own heap, and moves it out for a native call: an allocation and a collection
  // for each array, of half a microsecond.
  const [secret, peer, result] = [new Uint8Array(32), new Uint8Array(32), new Uint8Array(32)];

  const importX25519 = (bytes: Uint8Array): PrivateKey => {
    requireLength('an X25519 private key', bytes);
    secret.set(bytes);
    sodium.crypto_scalarmult_base(result, secret);
    secret.fill(0);
    return new SodiumKey(result.slice(), Uint8Array.from(bytes));
  };

  return {
    name: 'libsodium',
    importX25519,
    generateX25519: () => importX25519(randomBytes(32)),

    x25519(privateKey, publicKey) {
      requireLength('an X25519 public key', publicKey);
      secret.set(SodiumKey.secretOf(privateKey));
      peer.set(publicKey);
      try {
        sodium.crypto_scalarmult(result, secret, peer);
        return result.slice();
      } finally {
        secret.fill(0);
        result.fill(0);
      }
    },

    importEd25519(seed) {
      requireLength('an Ed25519 private key', seed);
      const publicKey = new Uint8Array(32);
      const secret = new Uint8Array(64);
      sodium.crypto_sign_seed_keypair(publicKey, secret, seed);
      return new SodiumKey(publicKey, secret);
    },

    signEd25519(privateKey, message) {
      const signature = new Uint8Array(64);
      sodium.crypto_sign_detached(signature, message, SodiumKey.secretOf(privateKey));
      return signature;
    },

    verifyEd25519(publicKey, message, signature) {
      // The binding ignores bytes after a signature and a key.
      if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
      return sodium.crypto_sign_verify_detached(signature, message, publicKey);
    },
  };
}
