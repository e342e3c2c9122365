import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  randomBytes,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { type Bytes, concat, fromHex, sha256, toBase64url, toHex } from './bytes.ts';
import { must } from './refusal.ts';

/** Ed25519 and X25519 of node:crypto, on raw bytes. */

const PRIVATE = {
  ed25519: fromHex('302e020100300506032b657004220420'),
  x25519: fromHex('302e020100300506032b656e04220420'),
};
const PUBLIC = { ed25519: fromHex('302a300506032b6570032100'), x25519: fromHex('302a300506032b656e032100') };
type Curve = keyof typeof PRIVATE;

const importPrivate = (curve: Curve, raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(concat(PRIVATE[curve], raw)), format: 'der', type: 'pkcs8' });
const importPublic = (curve: Curve, raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(concat(PUBLIC[curve], raw)), format: 'der', type: 'spki' });
const publicOf = (key: KeyObject): Bytes =>
  new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));

/** An Ed25519 key: of a device, a bot, a link or a password. */
export interface SigningKey {
  /** The public half, base64url of 32 bytes. */
  readonly key: string;
  /** base64url of the first 16 bytes of the SHA-256 of the public half. */
  readonly id: string;
  sign(bytes: Uint8Array): string;
}

export const idOfKey = (key: Uint8Array): string => toBase64url(sha256(key).subarray(0, 16));

/** Points of small order on Ed25519, without the sign in the highest bit: the canonical ones. */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** Reports whether 32 bytes are a usable point of Ed25519 (section 3): y below 2^255 - 19, and not of small order. */
function isEd25519Point(point: Uint8Array): boolean {
  const y = Uint8Array.from(point, (byte, index) => (index === 31 ? byte & 0x7f : byte));
  const isAboveP = toHex(y.subarray(1)) === `${'ff'.repeat(30)}7f` && (y[0] ?? 0) >= 0xed;
  return !isAboveP && !SMALL_ORDER.has(toHex(y));
}

/** The Ed25519 key of a seed of 32 bytes. */
export function signingKey(seed: Uint8Array = randomBytes(32)): SigningKey {
  must(seed.length === 32, 'malformed', 'no seed');
  const secret = importPrivate('ed25519', seed);
  const key = publicOf(secret);
  return {
    key: toBase64url(key),
    id: idOfKey(key),
    sign: (bytes) => toBase64url(signBytes(null, bytes, secret)),
  };
}

/**
 * Verifies an Ed25519 signature without the cofactor: S < L, and R byte for byte, as OpenSSL does.
 * @param key 32 bytes
 * @param signature 64 bytes
 */
export function isSigned(key: Uint8Array, signature: Uint8Array, bytes: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (!isEd25519Point(key) || !isEd25519Point(signature.subarray(0, 32))) return false;
  try {
    return verifyBytes(null, bytes, importPublic('ed25519', key), signature);
  } catch {
    return false;
  }
}

/** The canonical points of low order; non-canonical ones are refused earlier. */
const LOW_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
]);

/** Reports whether 32 bytes are a valid X25519 public key (section 3): canonical, and not of low order. */
export function isX25519Key(key: Uint8Array): boolean {
  if (key.length !== 32 || LOW_ORDER.has(toHex(key))) return false;
  const top = key[31] ?? 0xff;
  if (top < 0x7f) return true;
  if (top > 0x7f) return false;
  // Below 2^255 - 19: some byte between the ends is not 0xff, or the first is below 0xed.
  return key.subarray(1, 31).some((byte) => byte !== 0xff) || (key[0] ?? 0xff) < 0xed;
}

export const x25519Public = (secret: Uint8Array): Bytes => publicOf(importPrivate('x25519', secret));

/** The shared secret. An invalid key and an all-zero secret are refused. */
export function x25519(secret: Uint8Array, key: Uint8Array): Bytes {
  must(isX25519Key(key), 'cannot_open', 'no X25519 public key');
  const shared = diffieHellman({
    privateKey: importPrivate('x25519', secret),
    publicKey: importPublic('x25519', key),
  });
  must(
    shared.some((byte) => byte !== 0),
    'cannot_open',
    'the shared secret is zero',
  );
  return new Uint8Array(shared);
}
