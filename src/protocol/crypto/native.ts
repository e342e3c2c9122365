/**
 * The native backend: `node:crypto`. The only file of this room that knows Node.
 *
 * Keys are held as KeyObjects, because importing one costs as much as using it; public keys are cached, because
 * the same devices are written to again and again. HMAC is two one-shot hashes: a third of the cost of an Hmac object.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { concatBytes, encodeBase64Url } from '../encoding.ts';
import type { CryptoBackend, PrivateKey } from './backend.ts';

interface NativeKey extends PrivateKey {
  readonly object: KeyObject;
}

type Curve = 'X25519' | 'Ed25519';

// RFC 8410 §7: what stands before the 32 bytes of a private key in PKCS #8.
const PKCS8_PREFIX: Record<Curve, Uint8Array> = {
  X25519: Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20]),
  Ed25519: Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]),
};

function importPrivate(curve: Curve, secret: Uint8Array): NativeKey {
  if (secret.length !== 32) throw new Error(`a ${curve} private key has 32 bytes`);
  const pkcs8 = Buffer.from(concatBytes(PKCS8_PREFIX[curve], secret));
  const object = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(object).export({ format: 'jwk' });
  if (x === undefined) throw new Error(`no public key for this ${curve} private key`);
  return { object, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) };
}

const CACHED_PUBLIC_KEYS = 4096;
const publicKeys = new Map<string, KeyObject>();

function importPublic(curve: Curve, bytes: Uint8Array): KeyObject {
  if (bytes.length !== 32) throw new Error(`a ${curve} public key has 32 bytes`);
  const x = encodeBase64Url(bytes);
  const name = `${curve} ${x}`;
  const cached = publicKeys.get(name);
  if (cached) return cached;
  const object = createPublicKey({ key: { kty: 'OKP', crv: curve, x }, format: 'jwk' });
  if (publicKeys.size >= CACHED_PUBLIC_KEYS) publicKeys.delete(publicKeys.keys().next().value ?? '');
  publicKeys.set(name, object);
  return object;
}

function objectOf(key: PrivateKey): KeyObject {
  return (key as NativeKey).object;
}

const BLOCK = 64;

function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key;
  const inner = new Uint8Array(BLOCK + message.length).fill(0x36, 0, BLOCK);
  const outer = new Uint8Array(BLOCK + 32).fill(0x5c, 0, BLOCK);
  for (let index = 0; index < short.length; index++) {
    const byte = short[index] ?? 0;
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  inner.set(message, BLOCK);
  outer.set(hash('sha256', inner, 'buffer'), BLOCK);
  return hash('sha256', outer, 'buffer');
}

export const native: CryptoBackend = {
  name: 'native',
  randomBytes: (length) => randomBytes(length),
  sha256: (data) => hash('sha256', data, 'buffer'),
  hmacSha256,

  importX25519: (secret) => importPrivate('X25519', secret),
  x25519: (privateKey, publicKey) =>
    diffieHellman({ privateKey: objectOf(privateKey), publicKey: importPublic('X25519', publicKey) }),

  importEd25519: (seed) => importPrivate('Ed25519', seed),
  signEd25519: (privateKey, message) => sign(null, message, objectOf(privateKey)),
  verifyEd25519(publicKey, message, signature) {
    try {
      return verify(null, message, importPublic('Ed25519', publicKey), signature);
    } catch {
      return false;
    }
  },

  encryptAesGcm(key, nonce, aad, plaintext) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
    return concatBytes(cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
  },
  decryptAesGcm(key, nonce, aad, sealed) {
    // Without authTagLength Node accepts shorter tags, which are easier to forge.
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAAD(aad);
    decipher.setAuthTag(sealed.subarray(sealed.length - 16));
    return concatBytes(decipher.update(sealed.subarray(0, sealed.length - 16)), decipher.final());
  },
};
