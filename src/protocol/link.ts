/**
 * Linking another computer: a one-time code that one app shows and the other is given, and what it opens
 * (docs/protocol.md, 'Linking a device'). The relay between them sees neither the code nor the key.
 */
import { z } from 'zod';
import { decryptAesGcm, encryptAesGcm, randomBytes } from './crypto.ts';
import { concatBytes, decodeUtf8, encodeBase64Url, encodeUtf8 } from './encoding.ts';
import { expand, extract } from './hkdf.ts';

export {
  formatLinkCode,
  LINK_PREFIX,
  LinkCodeError,
  type LinkCodeFault,
  parseLinkCode,
} from './linking/code.ts';

/** How long what waits under a code may be taken, in milliseconds. */
export const LINK_LIFE = 10 * 60_000;
/** The largest sealed link that a relay keeps, in bytes. */
export const MAX_LINK_BYTES = 1024;
const SECRET_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Every link has this length before it is sealed, so that it does not tell a phrase from a key. */
const PADDED_BYTES = 768;
const LABEL = encodeUtf8('waxwing/link/v1');

/** What one app hands to the other. */
export interface LinkContent {
  /** Base URL of the relay, as the app that made the code knows it. */
  relay: string;
  /** The wallet's recovery phrase, or its private key as 64 hexadecimal digits. */
  secret: string;
}

const Content = z.strictObject({ relay: z.string().min(1), secret: z.string().min(1) });

/** What waited under a code was not sealed with it. */
export class LinkOpenError extends Error {
  override readonly name = 'LinkOpenError';
}

/** The secret of a new code: 16 random bytes, for one link and no other. */
export function newLinkSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
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
  if (sealed.length !== NONCE_BYTES + PADDED_BYTES + TAG_BYTES) throw new LinkOpenError();
  try {
    const { key } = deriveLink(secret);
    const nonce = sealed.slice(0, NONCE_BYTES);
    const padded = decryptAesGcm(key, nonce, LABEL, sealed.slice(NONCE_BYTES));
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 0x80) throw new LinkOpenError();
    return Content.parse(JSON.parse(decodeUtf8(padded.subarray(0, end))));
  } catch {
    throw new LinkOpenError();
  }
}
