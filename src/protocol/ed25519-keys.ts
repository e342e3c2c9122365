/** Ed25519 points that must be refused, as a public key and as R of a signature. */
import { decodeBase64Url, equalBytes } from './encoding.ts';
import { isCanonicalX25519 } from './x25519-keys.ts';

// The y-coordinates of the points of small order, little-endian: 0, 1, the two of order 8, p - 1, and p and p + 1,
// which are read as 0 and 1. Source: table 1 of https://eprint.iacr.org/2020/1244.
const SMALL_ORDER = [
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU',
  'xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o',
  '7P_______________________________________38',
  '7f_______________________________________38',
  '7v_______________________________________38',
].map(decodeBase64Url);

/** The y-coordinate of an encoded point. The highest bit is the sign of the other coordinate. */
const yOf = (point: Uint8Array) =>
  Uint8Array.from(point, (byte, index) => (index === 31 ? byte & 0x7f : byte));

/** Reports whether a point has small order, in any encoding: under such a key one signature could be valid for many messages. */
export function isSmallOrderEd25519(point: Uint8Array): boolean {
  const y = yOf(point);
  return SMALL_ORDER.some((each) => equalBytes(each, y));
}

/** Reports whether the y-coordinate of a point is below p = 2^255 - 19: each has one such encoding. */
export function isCanonicalEd25519(point: Uint8Array): boolean {
  return isCanonicalX25519(yOf(point)); // The same prime and the same order of bytes.
}
