/** Ed25519 public keys that must be refused. */
import { decodeBase64Url, equalBytes } from './encoding.ts';

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

/** Reports whether a key has small order, in any encoding: one signature could then be valid for many messages. */
export function isSmallOrderEd25519(key: Uint8Array): boolean {
  // The highest bit is the sign of the other coordinate.
  const y = Uint8Array.from(key, (byte, index) => (index === 31 ? byte & 0x7f : byte));
  return SMALL_ORDER.some((point) => equalBytes(point, y));
}
