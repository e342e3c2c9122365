/** HKDF-SHA256 (RFC 5869), limited to the form in use: a label as salt, and outputs of one block. */
import { hmacSha256 } from './crypto.ts';
import { encodeUtf8 } from './encoding.ts';

const FIRST_BLOCK = Uint8Array.of(0x01);

/** HKDF-Extract. @returns the pseudo-random key, 32 bytes */
export function extract(salt: Uint8Array, secret: Uint8Array): Uint8Array {
  return hmacSha256(salt, secret);
}

/** HKDF-Expand with an ASCII text as `info`. @param length 1 to 32 bytes */
export function expand(pseudoRandomKey: Uint8Array, info: string, length: number): Uint8Array {
  return hmacSha256(pseudoRandomKey, encodeUtf8(info), FIRST_BLOCK).slice(0, length);
}
