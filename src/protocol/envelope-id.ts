/**
 * An envelope's id: a hash of all its fields. The relay returns it, and a client compares it
 * with its own.
 *
 *   SHA-256("waxwing/envelope/v1" || from(20) || to(20) || flags(1) || recipientDeviceKey(32, zero if none)
 *           || ephemeralPublicKey(32) || nonce(12) || ciphertext)
 *   flags: bit 0 recipientDeviceKey is there, bit 1 asRequest
 *
 * Every part but the last has one length, so no two envelopes give the same bytes.
 */

import { sha256 } from './crypto.ts';
import { concatBytes, decodeBase64Url, encodeBase64Url, encodeUtf8 } from './encoding.ts';
import type { SealedCopy } from './envelope-form.ts';
import type { Envelope } from './schemas/envelopes.ts';
import { addressBytes } from './wire-address.ts';

const LABEL = encodeUtf8('waxwing/envelope/v1');
const NO_KEY = new Uint8Array(32);
const HAS_KEY = 1;
const AS_REQUEST = 2;

/**
 * The id in base64url, 43 characters.
 * @param from wire address under which the envelope is routed
 * @throws EncodingError if a field is not in its wire form
 */
export function envelopeId(from: string, envelope: Envelope): string {
  return sealedId(from, envelope, {
    ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
    nonce: decodeBase64Url(envelope.nonce),
    ciphertext: decodeBase64Url(envelope.ciphertext),
  });
}

/**
 * The same for sealed fields in bytes.
 * @throws EncodingError
 */
export function sealedId(
  from: string,
  { toAddress, recipientDeviceKey, asRequest }: Omit<Envelope, keyof SealedCopy>,
  { ephemeralPublicKey, nonce, ciphertext }: SealedCopy,
): string {
  const flags = (recipientDeviceKey === undefined ? 0 : HAS_KEY) | (asRequest ? AS_REQUEST : 0);
  const bytes = concatBytes(
    LABEL,
    addressBytes(from),
    addressBytes(toAddress),
    Uint8Array.of(flags),
    recipientDeviceKey === undefined ? NO_KEY : decodeBase64Url(recipientDeviceKey),
    ephemeralPublicKey,
    nonce,
    ciphertext,
  );
  return encodeBase64Url(sha256(bytes));
}
