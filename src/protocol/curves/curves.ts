/** X25519 and Ed25519: the interface of their two backends, libsodium and Node's own. */

/** An imported private key. Its contents are private to its backend. */
export interface PrivateKey {
  /** The public half: 32 bytes. */
  readonly publicKey: Uint8Array;
}

export interface Curves {
  readonly name: 'libsodium' | 'node';

  /** A fresh X25519 key pair, for ephemeral keys. Its private half never leaves its backend. */
  generateX25519(): PrivateKey;

  /**
   * X25519 private key (RFC 7748) from 32 bytes, clamped when used.
   * @throws for another length
   */
  importX25519(secret: Uint8Array): PrivateKey;

  /**
   * X25519 with a peer's public key of 32 bytes.
   * @returns the shared secret, 32 bytes
   * @throws if it would be all zero (a low-order point)
   */
  x25519(privateKey: PrivateKey, publicKey: Uint8Array): Uint8Array;

  /**
   * Ed25519 private key (RFC 8032) from its 32-byte seed.
   * @throws for another length
   */
  importEd25519(seed: Uint8Array): PrivateKey;

  /** Ed25519 signature, 64 bytes, deterministic. */
  signEd25519(privateKey: PrivateKey, message: Uint8Array): Uint8Array;

  /**
   * Reports whether an Ed25519 signature is valid by the rule of docs/protocol.md, section 3. False, never an exception, for malformed
   * keys and signatures.
   */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/** Length of each key. */
export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** @throws unless a key has 32 bytes */
export function requireLength(kind: string, key: Uint8Array): void {
  if (key.length !== KEY_BYTES) throw new Error(`${kind} has 32 bytes`);
}
