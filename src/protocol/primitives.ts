/**
 * The scalar types of the wire, each with one canonical form.
 */

import { z } from 'zod';
import { decodeTime, encodeUtf8, isBase64Url } from './encoding.ts';
import { FIELD_FAULTS } from './faults.ts';
import { BREAKS, CONTROL, hasMoreCharacters, INVISIBLE, MAX_NAME } from './label.ts';
import { isWireAddress } from './wire-address.ts';

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

/**
 * Valid last characters, by the length in bytes modulo three: unused bits are 0. For readers of the OpenAPI file; the
 * decoder itself checks this.
 */
const LAST_CHARACTER = ['[A-Za-z0-9_-]', '[AQgw]', '[AEIMQUYcgkosw048]'];

/** Exactly `length` bytes as canonical base64url without padding. */
export function Bytes(length: number) {
  const characters = Math.ceil((length * 4) / 3);
  return z
    .string()
    .length(characters)
    .refine(isBase64Url, FIELD_FAULTS.bytes(length))
    .meta({
      description: `${length} bytes in base64url without padding.`,
      contentEncoding: 'base64url',
      pattern: `^[A-Za-z0-9_-]{${characters - 1}}${LAST_CHARACTER[length % 3]}$`,
    });
}

/** Any number of bytes up to `most`, as canonical base64url without padding. */
export function BytesUpTo(most: number) {
  return z
    .string()
    .min(1)
    .max(Math.ceil((most * 4) / 3))
    .refine(isBase64Url, FIELD_FAULTS.base64url())
    .meta({
      description: `At most ${most} bytes in base64url without padding.`,
      contentEncoding: 'base64url',
      pattern: '^[A-Za-z0-9_-]*$',
    });
}

export const WireAddress = z.string().refine(isWireAddress, FIELD_FAULTS.address()).meta({
  id: 'Address',
  description: '`0x` and 40 hexadecimal digits in lower case: 20 bytes.',
  pattern: '^0x[0-9a-f]{40}$',
});

export const WireTime = z.string().refine(accepts(decodeTime), FIELD_FAULTS.time()).meta({
  id: 'Time',
  description: 'RFC 3339 in UTC with milliseconds.',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
});

export const Key = Bytes(32).meta({
  id: 'Key',
  description: 'A public key, X25519 or Ed25519: 32 bytes in base64url without padding.',
});

export const WalletSignature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, FIELD_FAULTS.wallet_signature())
  .describe('The wallet’s EIP-191 signature: 65 bytes in hex.');

export const OpaqueId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, FIELD_FAULTS.id())
  .meta({ id: 'Id', description: 'An id made by the relay. Opaque, and safe in a path.' });

export const Cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,512}$/, FIELD_FAULTS.cursor())
  .describe('The position of the next page: `nextCursor` of the previous response.');

/** C0 and C1 controls and DEL, except TAB and LF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
export const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** `t(most)` of the protocol: 1 to `most` bytes of UTF-8, no control characters but LF and TAB. */
export function Text(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine(
      (text) => text.isWellFormed() && !CONTROLS.test(text) && encodeUtf8(text).length <= most,
      FIELD_FAULTS.text_of_bytes(most),
    );
}

/**
 * 1 to `most` characters, that is code points of Unicode, as JSON Schema counts them. JavaScript counts differently.
 */
function Counted(most: number, least = 1) {
  return z
    .string()
    .min(least)
    .refine(
      (text) => !hasMoreCharacters(text, most),
      FIELD_FAULTS.size({ bound: 'at most', size: most, of: 'string' }),
    )
    .meta({ maxLength: most });
}

/** `c(most)` of the protocol: 1 to `most` characters, no control characters but LF and TAB. */
export function Characters(most: number) {
  return Counted(most).refine((text) => text.isWellFormed() && !CONTROLS.test(text), FIELD_FAULTS.text());
}

/** `name` of the protocol: 1 to 80 characters on one line. */
export const Name = Characters(MAX_NAME).regex(/^[^\n\t]*$/, FIELD_FAULTS.one_line());

/** A name that a relay shows: without invisible characters and without spaces at the ends. */
export const Label = Counted(MAX_NAME)
  .regex(new RegExp(`^(?!\\s)[^${BREAKS}${INVISIBLE}]*(?<!\\s)$`, 'u'), FIELD_FAULTS.label())
  .refine((text) => text.isWellFormed(), FIELD_FAULTS.label())
  .meta({
    description: `One line of 1 to ${MAX_NAME} characters, without control or invisible characters and without spaces at its ends.`,
    maxLength: MAX_NAME,
  });

/** The search text for names. */
export const SearchText = Counted(MAX_NAME, 0)
  .regex(new RegExp(`^[^${CONTROL}]*$`), FIELD_FAULTS.text())
  .refine((text) => text.isWellFormed(), FIELD_FAULTS.text())
  .meta({ maxLength: MAX_NAME });

/** A whole number in a query string: `z.decode` reads it, `z.encode` writes it. */
export function QueryInteger(least: number, most: number) {
  return z.codec(
    z.string().regex(/^\d{1,10}$/, FIELD_FAULTS.whole_number()),
    z.number().int().min(least).max(most),
    { decode: (text) => Number(text), encode: (number) => String(number) },
  );
}

/** A boolean in a query string: 1 or 0. */
export const QueryFlag = z
  .codec(z.enum(['1', '0', 'true', 'false']), z.boolean(), {
    decode: (text) => text === '1' || text === 'true',
    encode: (flag) => (flag ? '1' : '0'),
  })
  .describe('`1` for yes, `0` for no.');

/** The kind of a body: 1 to 32 lower-case letters, digits, dots and underscores. */
export const Kind = z.string().regex(/^[a-z0-9._]{1,32}$/);
