/**
 * Codes for people: 16 bytes as 28 characters that are hard to confuse, with a checksum (docs/protocol.md, 'Linking a
 * device'). The code of a new computer is its deviceId: it commits to the computer's key, and is not a secret.
 *
 *   code = Crockford base32 of bytes || the first 12 bits of SHA-256("waxwing/link/v1/checksum" || bytes)
 */
import { sha256 } from '../crypto.ts';
import { concatBytes, encodeUtf8 } from '../encoding.ts';
import { FormatError } from '../faults.ts';

/** The prefix of the code in a QR code. */
export const LINK_PREFIX = 'waxwing:link/';

const CODED_BYTES = 16;
/** 16 bytes and a checksum of 12 bits: 140 bits, 5 in each character. */
const CODE_LENGTH = 28;
const GROUP_LENGTH = 4;
/** Crockford's base32: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Characters that people confuse with others. */
const READ_AS: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

const CHECKSUM_LABEL = encodeUtf8('waxwing/link/v1/checksum');

/** The fault of an invalid code. */
export type LinkCodeFault =
  | { wrong: 'character'; character: string }
  | { wrong: 'length'; length: number; given: number }
  | { wrong: 'checksum' };

/** An invalid code. */
export class LinkCodeError extends FormatError<LinkCodeFault> {
  override readonly name = 'LinkCodeError';
}

/** The code of 16 bytes: 28 characters in groups of four, as in `0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV`. */
export function formatLinkCode(coded: Uint8Array): string {
  const value = (BigInt(`0x${hex(coded)}`) << 12n) | BigInt(checksumOf(coded));
  let code = '';
  for (let index = CODE_LENGTH - 1; index >= 0; index--) {
    code += ALPHABET.charAt(Number((value >> BigInt(5 * index)) & 31n));
    if (index > 0 && index % GROUP_LENGTH === 0) code += '-';
  }
  return code;
}

/**
 * The 16 bytes of a typed or pasted code. Case, spaces, dashes and the prefix of the QR code are ignored, and I, L
 * and O are read as 1, 1 and 0.
 * @throws LinkCodeError
 */
export function parseLinkCode(typed: string): Uint8Array {
  const text = typed.trim();
  const bare = text.toLowerCase().startsWith(LINK_PREFIX) ? text.slice(LINK_PREFIX.length) : text;
  const characters = [...bare.toUpperCase().replace(/[\s\u2010-\u2015-]/g, '')].map(
    (character) => READ_AS[character] ?? character,
  );
  const stranger = characters.find((character) => !ALPHABET.includes(character));
  if (stranger !== undefined) {
    throw new LinkCodeError({ wrong: 'character', character: stranger });
  }
  if (characters.length !== CODE_LENGTH) {
    throw new LinkCodeError({ wrong: 'length', length: CODE_LENGTH, given: characters.length });
  }
  let value = 0n;
  for (const character of characters) value = (value << 5n) | BigInt(ALPHABET.indexOf(character));
  const coded = bytesOf(value >> 12n);
  if (Number(value & 0xfffn) !== checksumOf(coded)) {
    throw new LinkCodeError({ wrong: 'checksum' });
  }
  return coded;
}

/** The first 12 bits of a labelled SHA-256: one of 4,096 mistyped codes is accepted, and then matches no computer. */
function checksumOf(coded: Uint8Array): number {
  const [first = 0, second = 0] = sha256(concatBytes(CHECKSUM_LABEL, coded));
  return (first << 4) | (second >> 4);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from({ length: CODED_BYTES }, (_, index) =>
    Number((value >> BigInt(8 * (CODED_BYTES - 1 - index))) & 0xffn),
  );
}
