/**
 * Linking another computer: a one-time code that one app shows and the other is given, and what it opens
 * (docs/protocol.md, 'Linking a device'). The relay between them sees neither the code nor the key.
 */
import { z } from 'zod';
import { decryptAesGcm, encryptAesGcm, randomBytes, sha256 } from './crypto.ts';
import { concatBytes, decodeUtf8, encodeBase64Url, encodeUtf8 } from './encoding.ts';
import { expand, extract } from './hkdf.ts';

/** How long what waits under a code may be taken, in milliseconds. */
export const LINK_LIFE = 10 * 60_000;
/** The largest sealed link that a relay keeps, in bytes. */
export const MAX_LINK_BYTES = 1024;
/** What stands before the code in a QR code. */
export const LINK_PREFIX = 'waxwing:link/';

const SECRET_BYTES = 16;
/** 16 bytes and a checksum of 12 bits: 140 bits, 5 in each character. */
const CODE_LENGTH = 28;
const GROUP_LENGTH = 4;
/** Crockford's base32: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** What is read as another character, because people write it so. */
const READ_AS: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Every link has this length before it is sealed, so that it does not tell a phrase from a key. */
const PADDED_BYTES = 768;
const LABEL = encodeUtf8('waxwing/link/v1');
const CHECKSUM_LABEL = encodeUtf8('waxwing/link/v1/checksum');

/** What one app hands to the other. */
export interface LinkContent {
  /** Base URL of the relay, as the app that made the code knows it. */
  relay: string;
  /** The wallet's recovery phrase, or its private key as 64 hexadecimal digits. */
  secret: string;
}

const Content = z.strictObject({ relay: z.string().min(1), secret: z.string().min(1) });

/** What is wrong with a text that should be a code. */
export type LinkCodeFault =
  | { wrong: 'character'; character: string }
  | { wrong: 'length'; length: number; given: number }
  | { wrong: 'checksum' };

/** A text is no code. */
export class LinkCodeError extends Error {
  override readonly name = 'LinkCodeError';
  readonly fault: LinkCodeFault;

  constructor(fault: LinkCodeFault) {
    super(fault.wrong);
    this.fault = fault;
  }
}

/** What waited under a code was not sealed with it. */
export class LinkOpenError extends Error {
  override readonly name = 'LinkOpenError';
}

/** The secret of a new code: 16 random bytes, for one link and no other. */
export function newLinkSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

/** The code of a secret of 16 bytes: 28 characters in groups of four, as in `0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV`. */
export function formatLinkCode(secret: Uint8Array): string {
  const value = (BigInt(`0x${hex(secret)}`) << 12n) | BigInt(checksumOf(secret));
  let code = '';
  for (let index = CODE_LENGTH - 1; index >= 0; index--) {
    code += ALPHABET.charAt(Number((value >> BigInt(5 * index)) & 31n));
    if (index > 0 && index % GROUP_LENGTH === 0) code += '-';
  }
  return code;
}

/**
 * The secret of a code, as a person types or pastes it: small letters, spaces, dashes and the beginning of the QR code's
 * text make no difference, and I, L and O are read as 1, 1 and 0.
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
  const secret = bytesOf(value >> 12n);
  if (Number(value & 0xfffn) !== checksumOf(secret)) {
    throw new LinkCodeError({ wrong: 'checksum' });
  }
  return secret;
}

/**
 * Where a link waits at the relay, and the key that seals it: HKDF-SHA256 (RFC 5869), one block each. The id tells
 * nothing about the secret or the key.
 * @returns `id`: 16 bytes in base64url; `key`: 32 bytes
 */
export function deriveLink(secret: Uint8Array): { id: string; key: Uint8Array } {
  const pseudoRandomKey = extract(LABEL, secret);
  return { id: encodeBase64Url(expand(pseudoRandomKey, 'id', 16)), key: expand(pseudoRandomKey, 'key', 32) };
}

/**
 * Seals a link under a secret's key: nonce (12) || AES-256-GCM(JSON, 0x80, zeros up to 768 bytes), 796 bytes in all.
 * @param nonce 12 bytes; random unless given, which only known answers do
 * @throws RangeError if the content is too long for its padding
 */
export function sealLink(
  secret: Uint8Array,
  { relay, secret: walletSecret }: LinkContent,
  nonce = randomBytes(NONCE_BYTES),
): Uint8Array {
  const content = encodeUtf8(JSON.stringify({ relay, secret: walletSecret }));
  if (content.length >= PADDED_BYTES) throw new RangeError('this link is too long to be sealed');
  const padded = new Uint8Array(PADDED_BYTES);
  padded.set(content);
  padded[content.length] = 0x80;
  const { key } = deriveLink(secret);
  return concatBytes(nonce, encryptAesGcm(key, nonce, LABEL, padded));
}

/**
 * Opens what {@link sealLink} made.
 * @throws LinkOpenError
 */
export function openLink(secret: Uint8Array, sealed: Uint8Array): LinkContent {
  if (sealed.length !== NONCE_BYTES + PADDED_BYTES + TAG_BYTES) throw notSealedSo();
  try {
    const { key } = deriveLink(secret);
    const nonce = sealed.slice(0, NONCE_BYTES);
    const padded = decryptAesGcm(key, nonce, LABEL, sealed.slice(NONCE_BYTES));
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 0x80) throw notSealedSo();
    return Content.parse(JSON.parse(decodeUtf8(padded.subarray(0, end))));
  } catch {
    throw notSealedSo();
  }
}

function notSealedSo(): LinkOpenError {
  return new LinkOpenError('What the relay had under this code was not sealed with it.');
}

/** The first 12 bits of a labelled SHA-256: of 4,096 mistyped codes one goes through, and then finds nothing. */
function checksumOf(secret: Uint8Array): number {
  const [first = 0, second = 0] = sha256(concatBytes(CHECKSUM_LABEL, secret));
  return (first << 4) | (second >> 4);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from({ length: SECRET_BYTES }, (_, index) =>
    Number((value >> BigInt(8 * (SECRET_BYTES - 1 - index))) & 0xffn),
  );
}
