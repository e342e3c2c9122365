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

/** Ed25519 or X25519 key: 32 bytes. */
export const Key = Bytes(32);
/** A wallet's EIP-191 signature: 65 bytes in hex. */
export const WalletSignature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, 'must be 0x and 130 hexadecimal digits');

/** An id that the relay made. Opaque, and safe in a path. */
export const OpaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be an id of this relay');

/** Where a paged answer goes on: what the answer before gave as `nextCursor`. */
export const Cursor = z.string().regex(/^[A-Za-z0-9_-]{1,512}$/, 'must be a cursor of this relay');

/** A text on one line that a person reads: no control or direction-changing characters, no space at either end. */
export function Label(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .regex(
      /^(?!\s)[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]*(?<!\s)$/u,
      'must be one line without control characters and without spaces at its ends',
    );
}

/** A whole number in a query string: `z.decode` reads it, `z.encode` writes it. */
export function QueryInteger(least: number, most: number) {
  return z.codec(
    z.string().regex(/^\d{1,9}$/, 'must be a whole number'),
    z.number().int().min(least).max(most),
    { decode: (text) => Number(text), encode: (number) => String(number) },
  );
}

/** A yes or no in a query string: 1 or 0. */
export const QueryFlag = z.codec(z.enum(['1', '0', 'true', 'false']), z.boolean(), {
  decode: (text) => text === '1' || text === 'true',
  encode: (flag) => (flag ? '1' : '0'),
});
