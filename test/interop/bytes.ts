import { createHash } from 'node:crypto';
import { must } from './refusal.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a text in UTF-8. For the quoted labels of the protocol that is ASCII. */
export const textBytes = (text: string): Bytes => utf8.encode(text);

/** The text of UTF-8 bytes; other bytes are refused. A byte order mark is kept: it is a character. */
export function bytesText(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    must(false, 'not_utf8');
  }
}

/** Concatenates the parts. */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const sha256 = (bytes: Uint8Array): Bytes =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

/** Big-endian, 4 bytes. */
export function u32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** Big-endian, 8 bytes. */
export function u64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** base64url without padding (section 3). */
export const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The bytes of canonical base64url, `length` of them if that is given; anything else is refused. */
export function fromBase64url(text: unknown, length?: number): Bytes {
  must(typeof text === 'string', 'malformed', 'not base64url');
  const bytes = new Uint8Array(Buffer.from(text, 'base64url'));
  must(toBase64url(bytes) === text, 'malformed', 'not canonical base64url');
  must(length === undefined || bytes.length === length, 'malformed', 'not of that length');
  return bytes;
}

/** Reports whether `text` is base64url of `length` bytes: `b(n)`. */
export function isBase64url(text: unknown, length: number): text is string {
  if (typeof text !== 'string' || text.length !== Math.ceil((length * 4) / 3)) return false;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text;
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The bytes of lower-case hex digits, which the caller has checked. */
export const fromHex = (hex: string): Bytes => new Uint8Array(Buffer.from(hex, 'hex'));

/** base64url of the SHA-256. */
export const hash64 = (bytes: Uint8Array): string => toBase64url(sha256(bytes));

export const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
