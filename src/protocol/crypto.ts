/**
 * The primitives under sealing and signing, from `node:crypto`. The only file of this room that uses Node.
 *
 * Keys are stored as KeyObjects, because importing one costs as much as using it. Public keys are cached, because the
 * same devices receive many messages. A fresh key pair is generated, not imported from random bytes: 28 µs instead of
 * 50. HMAC is two one-shot hashes: 1 µs instead of the 4 to 12 of an Hmac object. Node 24 detects other objects than
 * a KeyObject by an internal exception, 5 µs each time. Therefore a symmetric key becomes a KeyObject even for one
 * use, and a public key is imported as a PEM string: 7 µs instead of JWK's 17. Measured with bench/sealing.ts; one
 * X25519 alone takes 30 µs, and one verification of Ed25519 100, which limits the speed of opening.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes as nodeRandomBytes,
  scrypt as nodeScrypt,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import { BoundedMap } from './bounded-map.ts';
import { isSmallOrderEd25519 } from './ed25519-keys.ts';
import { concatBytes } from './encoding.ts';

/** An imported private key. Its contents are private to this file. */
export interface PrivateKey {
  /** The public half: 32 bytes. */
  readonly publicKey: Uint8Array;
}

interface NodeKey extends PrivateKey {
  readonly object: KeyObject;
  /** Used once, with a peer that receives more messages. Other keys meet ephemeral peers, each once. */
  readonly isEphemeral: boolean;
}

type Curve = 'X25519' | 'Ed25519';

// The DER prefixes of RFC 8410: of a private key in PKCS #8 (section 7), and of a public key in SubjectPublicKeyInfo
// (section 4). The latter already in base64.
const PKCS8_PREFIX: Record<Curve, Uint8Array> = {
  X25519: Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20]),
  Ed25519: Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]),
};
const SPKI_PREFIX: Record<Curve, string> = { X25519: 'MCowBQYDK2VuAyEA', Ed25519: 'MCowBQYDK2VwAyEA' };

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function nodeKey(object: KeyObject, publicHalf: KeyObject, isEphemeral: boolean): NodeKey {
  const { x } = publicHalf.export({ format: 'jwk' });
  if (x === undefined) throw new Error('this private key has no public key of 32 bytes');
  return { object, isEphemeral, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) };
}

function importPrivate(curve: Curve, secret: Uint8Array): NodeKey {
  if (secret.length !== 32) throw new Error(`a ${curve} private key has 32 bytes`);
  const pkcs8 = Buffer.from(concatBytes(PKCS8_PREFIX[curve], secret));
  const object = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return nodeKey(object, createPublicKey(object), false);
}

/** Cryptographically secure random bytes. */
export function randomBytes(length: number): Uint8Array {
  return nodeRandomBytes(length);
}

/** A fresh X25519 key pair, for ephemeral keys. Its private half never leaves this file. */
export function generateX25519(): PrivateKey {
  const pair = generateKeyPairSync('x25519');
  void pair.privateKey.asymmetricKeyType; // Read once here, where time is idle: the first look costs 3 µs.
  return nodeKey(pair.privateKey, pair.publicKey, true);
}

/**
 * X25519 private key (RFC 7748) from 32 bytes, clamped when used.
 * @throws for another length
 */
export function importX25519(secret: Uint8Array): PrivateKey {
  return importPrivate('X25519', secret);
}

/**
 * Ed25519 private key (RFC 8032) from its 32-byte seed.
 * @throws for another length
 */
export function importEd25519(seed: Uint8Array): PrivateKey {
  return importPrivate('Ed25519', seed);
}

const CACHED_PUBLIC_KEYS = 8192;
const publicKeys: Record<Curve, BoundedMap<string, KeyObject>> = {
  X25519: new BoundedMap(CACHED_PUBLIC_KEYS),
  Ed25519: new BoundedMap(CACHED_PUBLIC_KEYS),
};

function importPublic(curve: Curve, bytes: Uint8Array): KeyObject {
  if (bytes.length !== 32) throw new Error(`a ${curve} public key has 32 bytes`);
  // OpenSSL refuses these keys when it verifies; Electron's BoringSSL does not.
  if (curve === 'Ed25519' && isSmallOrderEd25519(bytes)) throw new Error('this Ed25519 key has small order');
  const spki = SPKI_PREFIX[curve] + viewOf(bytes).toString('base64');
  return createPublicKey(`-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----`);
}

function cachedPublic(curve: Curve, bytes: Uint8Array): KeyObject {
  const cache = publicKeys[curve];
  const name = viewOf(bytes).toString('latin1');
  const cached = cache.get(name);
  if (cached) return cached;
  const object = importPublic(curve, bytes);
  cache.set(name, object);
  return object;
}

/**
 * X25519 with a peer's public key of 32 bytes.
 * @throws if the shared secret would be all zero (a low-order point)
 */
export function x25519(privateKey: PrivateKey, publicKey: Uint8Array): Uint8Array {
  const { object, isEphemeral } = privateKey as NodeKey;
  const peer = isEphemeral ? cachedPublic('X25519', publicKey) : importPublic('X25519', publicKey);
  return diffieHellman({ privateKey: object, publicKey: peer });
}

/** Ed25519 signature, 64 bytes, deterministic. */
export function signEd25519(privateKey: PrivateKey, message: Uint8Array): Uint8Array {
  return sign(null, message, (privateKey as NodeKey).object);
}

/** Reports whether an Ed25519 signature is valid. False, never an exception, for malformed keys and signatures. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(null, message, cachedPublic('Ed25519', publicKey), signature);
  } catch {
    return false;
  }
}

const BLOCK = 64;
const DIGEST = 32;

/** SHA-256 as a binary string of 32 characters: four times faster in Node than a Buffer. */
function digest(data: Uint8Array): string {
  return hash('sha256', data, 'binary');
}

/** Copies a digest, which a loop does faster than a call of Buffer. */
function copyDigest(text: string, into: Uint8Array, offset: number): void {
  for (let index = 0; index < DIGEST; index++) into[offset + index] = text.charCodeAt(index);
}

/** SHA-256: 32 bytes. */
export function sha256(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(DIGEST);
  copyDigest(digest(data), bytes, 0);
  return bytes;
}

/** SHA-256 of data that is too large for memory. */
export interface Sha256Stream {
  update(data: Uint8Array): void;
  /** Ends the hash: 32 bytes. */
  digest(): Uint8Array;
}

/** Starts a SHA-256 over data in pieces. */
export function sha256Stream(): Sha256Stream {
  const running = createHash('sha256');
  return {
    update: (data) => void running.update(data),
    digest: () => running.digest(),
  };
}

// Reused memory of hmacSha256 for short messages: an allocation costs as much as the hash.
const scratch = new Uint8Array(512);
const outer = new Uint8Array(BLOCK + DIGEST);

/**
 * HMAC-SHA256 (RFC 2104) over the parts of a message, one after the other: H(key ^ opad || H(key ^ ipad || message)).
 * @returns 32 bytes
 */
export function hmacSha256(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array {
  let length = BLOCK;
  for (const part of message) length += part.length;
  const inner = length <= scratch.length ? scratch.subarray(0, length) : new Uint8Array(length);

  const short = key.length > BLOCK ? sha256(key) : key;
  inner.fill(0x36, 0, BLOCK);
  outer.fill(0x5c, 0, BLOCK);
  for (let index = 0; index < short.length; index++) {
    const byte = short[index] ?? 0;
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  let offset = BLOCK;
  for (const part of message) {
    inner.set(part, offset);
    offset += part.length;
  }
  copyDigest(digest(inner), outer, BLOCK);
  inner.fill(0);
  const mac = sha256(outer);
  outer.fill(0);
  return mac;
}

/** SHA3-256 of the empty text (FIPS 202). */
const EMPTY_SHA3 = 'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a';

function hasSha3(): boolean {
  try {
    return hash('sha3-256', new Uint8Array(0), 'hex') === EMPTY_SHA3;
  } catch {
    return false; // BoringSSL.
  }
}

/** SHA3-256: 32 bytes, in a tenth of the time that JavaScript takes. Null where Node lacks it. */
export const sha3: ((data: Uint8Array) => Uint8Array) | null = hasSha3()
  ? (data) => hash('sha3-256', data, 'buffer')
  : null;

/** Without authTagLength Node accepts shorter tags, which are easier to forge. */
const GCM = { authTagLength: 16 } as const;

/**
 * AES-256-GCM: ciphertext followed by the tag of 16 bytes. Key 32 bytes, nonce 12 bytes.
 * @param into room for the result, which saves memory; by default new
 */
export function encryptAesGcm(
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  into: Uint8Array = Buffer.allocUnsafe(plaintext.length + GCM.authTagLength),
): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), nonce, GCM).setAAD(aad);
  const sealed = into.subarray(0, plaintext.length + GCM.authTagLength);
  sealed.set(cipher.update(plaintext));
  cipher.final(); // Counter mode buffers nothing: this only computes the tag.
  sealed.set(cipher.getAuthTag(), plaintext.length);
  return sealed;
}

/**
 * Opens a result of {@link encryptAesGcm}.
 * @throws if the last 16 bytes are not the tag
 */
export function decryptAesGcm(
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  sealed: Uint8Array,
): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), nonce, GCM).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(sealed.length - 16));
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - 16));
  decipher.final(); // Throws if the tag is wrong.
  return plaintext;
}

const scryptAsync = promisify<Uint8Array, Uint8Array, number, object, Buffer>(nodeScrypt);

/**
 * scrypt (RFC 7914), outside this thread.
 * @param length of the derived key, in bytes
 */
export function scrypt(
  password: Uint8Array,
  salt: Uint8Array,
  cost: { N: number; r: number; p: number },
  length: number,
): Promise<Uint8Array> {
  // scrypt needs a little more than 128 · N · r bytes; Node's default limit is 32 MiB.
  return scryptAsync(password, salt, length, { ...cost, maxmem: 256 * cost.N * cost.r });
}
