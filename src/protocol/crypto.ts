/**
 * The primitives under sealing and signing: the curves of curves/, and the rest from `node:crypto`.
 *
 * HMAC is two one-shot hashes: 1 µs instead of the 4 to 12 of an Hmac object. Node 24 detects other objects than a
 * KeyObject by an internal exception, 5 µs each time. Therefore a symmetric key becomes a KeyObject even for one use.
 * Measured with bench/sealing.ts; one X25519 alone takes 30 µs, and one verification of Ed25519 50, which limits the
 * speed of opening.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes as nodeRandomBytes,
  scrypt as nodeScrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { curves } from './curves/chosen.ts';

export type { PrivateKey } from './curves/curves.ts';

/** Cryptographically secure random bytes. */
export function randomBytes(length: number): Uint8Array {
  return nodeRandomBytes(length);
}

/** X25519 and Ed25519 of this process; each is described at {@link Curves}. */
export const { generateX25519, importX25519, x25519, importEd25519, signEd25519, verifyEd25519 } = curves;

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

/** SHA-256 as base64url, 43 characters, made without a buffer. */
export function sha256Text(data: Uint8Array): string {
  return hash('sha256', data, 'base64url');
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
/** Views of {@link scratch}, by their length. */
const scratchViews: Uint8Array[] = [];

/** Memory of a length, reused if it is short. */
function workspace(length: number): Uint8Array {
  if (length > scratch.length) return new Uint8Array(length);
  const known = scratchViews[length];
  if (known) return known;
  const view = scratch.subarray(0, length);
  scratchViews[length] = view;
  return view;
}

/**
 * HMAC-SHA256 (RFC 2104) over the parts of a message, one after the other: H(key ^ opad || H(key ^ ipad || message)).
 * @returns 32 bytes
 */
export function hmacSha256(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array {
  let length = BLOCK;
  for (const part of message) length += part.length;
  const inner = workspace(length);

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

// Reused memory of AES-GCM, as in curves/sodium.ts: V8 moves a small array out of its heap for each call of OpenSSL.
const aesKey = new Uint8Array(32);
const aesNonce = new Uint8Array(12);

/**
 * Copies the nonce into {@link aesNonce}.
 * @returns the key as a KeyObject
 * @throws for another length of either
 */
function prepareAesGcm(key: Uint8Array, nonce: Uint8Array): KeyObject {
  if (key.length !== aesKey.length || nonce.length !== aesNonce.length) {
    throw new Error('AES-256-GCM has a key of 32 bytes and a nonce of 12');
  }
  aesNonce.set(nonce);
  aesKey.set(key);
  const object = createSecretKey(aesKey);
  aesKey.fill(0);
  return object;
}

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
  const secret = prepareAesGcm(key, nonce);
  const cipher = createCipheriv('aes-256-gcm', secret, aesNonce, GCM).setAAD(aad);
  const length = plaintext.length + GCM.authTagLength;
  const sealed = into.length === length ? into : into.subarray(0, length);
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
  const secret = prepareAesGcm(key, nonce);
  const decipher = createDecipheriv('aes-256-gcm', secret, aesNonce, GCM).setAAD(aad);
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
