/** X25519 public keys that are acceptable on the wire. */
import { decodeBase64Url, equalBytes } from './encoding.ts';

// The canonical points of small order, little-endian u-coordinates: 0, 1, the two of order 8, and p - 1.
// Source: RFC 7748 §6.1 and the list at https://cr.yp.to/ecdh.html#validate, without the non-canonical ones.
const LOW_ORDER = [
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '4Ot6fDtBuK4WVuP68Z_EatoJjeucMrH9hmIFFl9JuAA',
  'X5yVvKNQjCSx0LFVnIPvWwREXMRYHI6G2CJO3dCfEVc',
  '7P_______________________________________38',
].map(decodeBase64Url);

/** Reports whether the bytes are the one encoding of their point: 32 bytes, below p = 2^255 - 19, high bit clear. */
export function isCanonicalX25519(key: Uint8Array): boolean {
  if (key.length !== 32) return false;
  const last = key[31] ?? 0xff;
  if (last > 0x7f) return false;
  const mayReachP = last === 0x7f && key.subarray(1, 31).every((byte) => byte === 0xff);
  return !mayReachP || (key[0] ?? 0xff) < 0xed;
}

/** Reports whether a key is acceptable: canonical, and not of small order, so that no shared secret is all zero. */
export function isAcceptableX25519(key: Uint8Array): boolean {
  return isCanonicalX25519(key) && !LOW_ORDER.some((point) => equalBytes(point, key));
}
