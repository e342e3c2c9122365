/**
 * The few primitives that sealing and signing stand on, behind one interface with two implementations
 * that must agree byte for byte: `noble` (any JavaScript) and `native` (`node:crypto`, far faster).
 */

/** An imported private key. What is inside belongs to the backend that made it. */
export interface PrivateKey {
  /** The public half: 32 bytes. */
  readonly publicKey: Uint8Array;
}

export interface CryptoBackend {
  readonly name: 'noble' | 'native';

  /** Cryptographically secure random bytes. */
  randomBytes(length: number): Uint8Array;
  sha256(data: Uint8Array): Uint8Array;
  /** HMAC-SHA256 (RFC 2104) over the parts of a message, one after the other: 32 bytes. */
  hmacSha256(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array;

  /** A fresh X25519 key pair. Its private half never leaves the backend: for ephemeral keys. */
  generateX25519(): PrivateKey;
  /** X25519 private key (RFC 7748) from 32 bytes, clamped when used. */
  importX25519(secret: Uint8Array): PrivateKey;
  /**
   * X25519 with a peer's public key of 32 bytes.
   * @throws if the shared secret would be all zero (a low-order point)
   */
  x25519(privateKey: PrivateKey, publicKey: Uint8Array): Uint8Array;

  /** Ed25519 private key (RFC 8032) from its 32-byte seed. */
  importEd25519(seed: Uint8Array): PrivateKey;
  /** Ed25519 signature, 64 bytes, deterministic. */
  signEd25519(privateKey: PrivateKey, message: Uint8Array): Uint8Array;
  /** Whether an Ed25519 signature holds. False, never an exception, for malformed keys and signatures. */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;

  /** AES-256-GCM: ciphertext followed by the tag of 16 bytes. Key 32 bytes, nonce 12 bytes. */
  encryptAesGcm(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array;
  /**
   * Opens what {@link encryptAesGcm} made.
   * @throws if the last 16 bytes are not the tag
   */
  decryptAesGcm(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Uint8Array;
}
