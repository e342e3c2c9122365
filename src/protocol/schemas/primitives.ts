/**
 * The scalar types of the wire, each with one canonical form.
 */
import { z } from 'zod';
import { isWireAddress } from '../address.ts';
import { decodeBase64Url, decodeTime } from '../encoding.ts';

function accepts(decode: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      decode(text);
      return true;
    } catch {
      return false;
    }
  };
}

/** Exactly `length` bytes as canonical base64url without padding. */
export function Bytes(length: number) {
  const characters = Math.ceil((length * 4) / 3);
  return z
    .string()
    .length(characters)
    .refine(accepts(decodeBase64Url), `must be ${length} bytes in base64url without padding`);
}

/** Any number of bytes up to `most`, as canonical base64url without padding. */
export function BytesUpTo(most: number) {
  return z
    .string()
    .min(1)
    .max(Math.ceil((most * 4) / 3))
    .refine(accepts(decodeBase64Url), 'must be base64url without padding');
}

/** `0x` and 40 lower-case hex digits. */
export const WireAddress = z
  .string()
  .refine(isWireAddress, 'must be an address: 0x and 40 hexadecimal digits in lower case');

/** RFC 3339 in UTC with milliseconds. */
export const WireTime = z
  .string()
  .refine(accepts(decodeTime), 'must be a time in UTC with milliseconds, such as 2026-11-20T20:00:00.000Z');
