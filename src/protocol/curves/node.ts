/**
 * X25519 and Ed25519 by `node:crypto`, where libsodium has no build.
 *
 * Keys are stored as KeyObjects, because importing one costs as much as using it. Public keys are cached, because the
 * same devices receive many messages. A fresh key pair is generated, not imported from random bytes: 28 µs instead of
 * 50. A public key is imported as a PEM string: 7 µs instead of JWK's 17.
 */
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import { isCanonicalEd25519, isSmallOrderEd25519 } from '../ed25519-keys.ts';
import { concatBytes } from '../encoding.ts';
import { type Curves, type PrivateKey, requireLength } from './curves.ts';

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

/** Length of R, the first half of a signature. */
const R_BYTES = 32;

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function nodeKey(object: KeyObject, publicHalf: KeyObject, isEphemeral: boolean): NodeKey {
  const { x } = publicHalf.export({ format: 'jwk' });
  if (x === undefined) throw new Error('this private key has no public key of 32 bytes');
  return { object, isEphemeral, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) };
}

function importPrivate(curve: Curve, secret: Uint8Array): NodeKey {
  requireLength(`an ${curve} private key`, secret);
  const pkcs8 = Buffer.from(concatBytes(PKCS8_PREFIX[curve], secret));
  const object = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return nodeKey(object, createPublicKey(object), false);
}

const CACHED_PUBLIC_KEYS = 8192;
const publicKeys: Record<Curve, BoundedMap<string, KeyObject>> = {
  X25519: new BoundedMap(CACHED_PUBLIC_KEYS),
  Ed25519: new BoundedMap(CACHED_PUBLIC_KEYS),
};

function importPublic(curve: Curve, bytes: Uint8Array): KeyObject {
  requireLength(`an ${curve} public key`, bytes);
  if (curve === 'Ed25519' && (!isCanonicalEd25519(bytes) || isSmallOrderEd25519(bytes))) {
    throw new Error('this Ed25519 key is not canonical or has small order');
  }
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

export const nodeCurves: Curves = {
  name: 'node',

  generateX25519() {
    const pair = generateKeyPairSync('x25519');
    void pair.privateKey.asymmetricKeyType; // Read once here, where time is idle: the first look costs 3 µs.
    return nodeKey(pair.privateKey, pair.publicKey, true);
  },

  importX25519: (secret) => importPrivate('X25519', secret),

  x25519(privateKey, publicKey) {
    const { object, isEphemeral } = privateKey as NodeKey;
    const peer = isEphemeral ? cachedPublic('X25519', publicKey) : importPublic('X25519', publicKey);
    return diffieHellman({ privateKey: object, publicKey: peer });
  },

  importEd25519: (seed) => importPrivate('Ed25519', seed),
  signEd25519: (privateKey, message) => sign(null, message, (privateKey as NodeKey).object),

  verifyEd25519(publicKey, message, signature) {
    try {
      return (
        // R is compared byte for byte with the calculated one, so that it is canonical. BoringSSL allows one of small order.
        !isSmallOrderEd25519(signature.subarray(0, R_BYTES)) &&
        verify(null, message, cachedPublic('Ed25519', publicKey), signature)
      );
    } catch {
      return false;
    }
  },
};
