/** Bytes and text, one canonical form each (docs/protocol.md, 'Encodings'). Decoders reject all other forms. */

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Input outside its only valid form. The message describes that form. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** UTF-8 bytes of a text. */
export function encodeUtf8(text: string): Uint8Array {
  return utf8.encode(text);
}

/**
 * Text of UTF-8 bytes.
 * @throws EncodingError for malformed UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new EncodingError('not well-formed UTF-8');
  }
}

/**
 * Reports whether the bytes are well-formed UTF-8 (Unicode, table 3-7). A loop, not a decoder that throws: it is
 * called for every envelope, and random bytes end it early.
 */
export function isUtf8(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes[index] ?? 0;
    const length =
      lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0 || index + length > bytes.length) return false;
    if (length > 1 && !isSecondByte(lead, bytes[index + 1] ?? 0)) return false;
    for (let offset = 2; offset < length; offset++) {
      if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return false;
    }
    index += length;
  }
  return true;
}

/** The second byte is narrower after some leads: no overlong forms, no surrogates, nothing above U+10FFFF. */
function isSecondByte(lead: number, byte: number): boolean {
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= least && byte <= most;
}

/** The parts, one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Reports whether two byte strings are equal. For public values only: not constant-time. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let index = 0; index < ALPHABET.length; index++) VALUES[ALPHABET.charCodeAt(index)] = index;

/** base64url without padding (RFC 4648 §5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a, b, c] = [bytes[index] ?? 0, bytes[index + 1] ?? 0, bytes[index + 2] ?? 0];
    const left = bytes.length - index;
    text += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | (b >> 4));
    if (left > 1) text += ALPHABET.charAt(((b & 15) << 2) | (c >> 6));
    if (left > 2) text += ALPHABET.charAt(c & 63);
  }
  return text;
}

/**
 * Bytes of canonical base64url without padding, as {@link encodeBase64Url} writes it.
 * @throws EncodingError for other alphabets, padding, white space or stray bits
 */
export function decodeBase64Url(text: string): Uint8Array {
  const rest = text.length % 4;
  if (rest === 1) throw new EncodingError('not base64url: a length that cannot be');
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let offset = 0;
  for (let index = 0; index < text.length; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) throw new EncodingError('not base64url: letters, digits, - and _ only, without padding');
    bits = (bits << 6) | value;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[offset++] = bits >> bitCount;
      bits &= (1 << bitCount) - 1;
    }
  }
  if (bits !== 0) throw new EncodingError('not canonical base64url: stray bits at the end');
  return bytes;
}

/** Valid last characters, by the length modulo four: unused bits must be zero. */
const BASE64URL = /^[A-Za-z0-9_-]*$/;
const LAST_CHARACTER = { 0: /$/, 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ } as const;

/** Reports whether {@link decodeBase64Url} accepts a text, without decoding it. */
export function isBase64Url(text: string): boolean {
  const rest = text.length % 4;
  return rest !== 1 && BASE64URL.test(text) && LAST_CHARACTER[rest as 0 | 2 | 3].test(text);
}

/** base64 with padding (RFC 4648 §4), for other standards that require it. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/**
 * Bytes of canonical base64 with padding, as {@link encodeBase64} writes it.
 * @throws EncodingError for every other text
 */
export function decodeBase64(text: string): Uint8Array {
  const bytes = decodeBase64Url(
    text
      .replace(/={1,2}$/, '')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
  );
  if (encodeBase64(bytes) !== text) throw new EncodingError('not base64 with padding');
  return bytes;
}

/** Unsigned 32-bit integer, big-endian, 4 bytes. */
export function encodeU32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  writeU32(value, bytes, 0);
  return bytes;
}

/**
 * Writes an unsigned 32-bit integer as {@link encodeU32} does.
 * @throws EncodingError for any other number
 */
export function writeU32(value: number, into: Uint8Array, offset: number): void {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) throw new EncodingError('not a u32');
  for (let index = 0; index < 4; index++) into[offset + index] = value >>> (24 - 8 * index);
}

/** Unsigned 64-bit integer, big-endian, 8 bytes. Times are milliseconds since 1970, UTC. */
export function encodeU64(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new EncodingError('not a u64');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

let [lastTime, lastText] = [0, new Date(0).toISOString()];

/**
 * RFC 3339 in UTC with milliseconds, such as `2026-11-20T20:00:00.000Z`. The last one is remembered: a busy relay writes many of one
 * millisecond.
 */
export function encodeTime(milliseconds: number): string {
  if (milliseconds !== lastTime) [lastTime, lastText] = [milliseconds, new Date(milliseconds).toISOString()];
  return lastText;
}

/** The same, with null for no time. */
export function encodeTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : encodeTime(milliseconds);
}

/** Characters of a time that are not digits, by their places. */
const TIME_MARKS = [
  [4, '-'],
  [7, '-'],
  [10, 'T'],
  [13, ':'],
  [16, ':'],
  [19, '.'],
  [23, 'Z'],
] as const;
const TIME_LENGTH = 24;
/** Days of every month. */
const SHORTEST_MONTH = 28;

/**
 * Milliseconds since 1970 of a time in the form of {@link encodeTime}.
 * @throws EncodingError for every other form, for invalid days, and before 1970 (outside of u64)
 */
export function decodeTime(text: string): number {
  // Digit by digit: a received message has a dozen times, and `Date.parse` needs eight times as long.
  const [year, month, day] = [digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2)];
  const [hour, minute, second] = [digitsAt(text, 11, 2), digitsAt(text, 14, 2), digitsAt(text, 17, 2)];
  const millisecond = digitsAt(text, 20, 3);
  const time = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  const isValid =
    text.length === TIME_LENGTH &&
    TIME_MARKS.every(([place, mark]) => text[place] === mark) &&
    year >= 1970 &&
    isWithin(month, 1, 12) &&
    day >= 1 &&
    (day <= SHORTEST_MONTH || new Date(time).getUTCDate() === day) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    time >= 0;
  if (!isValid)
    throw new EncodingError('not a time in UTC with milliseconds, such as 2026-11-20T20:00:00.000Z');
  return time;
}

const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;

/** The number that digits make; NaN for other characters. */
function digitsAt(text: string, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}
