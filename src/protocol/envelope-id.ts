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

import { sha256Text } from './crypto.ts';
import { concatBytes, decodeBase64Url, encodeUtf8 } from './encoding.ts';
import type { SealedCopy } from './envelope-form.ts';
import type { Envelope } from './schemas/envelopes.ts';
import { ADDRESS_BYTES, writeAddress } from './wire-address.ts';

const LABEL = encodeUtf8('waxwing/envelope/v1');
const NO_KEY = new Uint8Array(32);
const HAS_KEY = 1;
const AS_REQUEST = 2;
const FLAGS_AT = LABEL.length + 2 * ADDRESS_BYTES;
/** Length of the hashed bytes before the sealed fields. */
export const ID_HEAD_BYTES = FLAGS_AT + 1 + NO_KEY.length;

/**
 * The id in base64url, 43 characters.
 * @param from wire address under which the envelope is routed
 * @throws EncodingError if a field is not in its wire form
 */
export function envelopeId(from: string, envelope: Envelope): string {
  const bytes = concatBytes(
    new Uint8Array(ID_HEAD_BYTES),
    decodeBase64Url(envelope.ephemeralPublicKey),
    decodeBase64Url(envelope.nonce),
    decodeBase64Url(envelope.ciphertext),
  );
  return sealedId(bytes, from, envelope);
}

/**
 * The same for sealed fields in bytes.
 * @param bytes room of {@link ID_HEAD_BYTES}, which is overwritten, then `ephemeralPublicKey`, `nonce` and `ciphertext`
 * @throws EncodingError
 */
export function sealedId(
  bytes: Uint8Array,
  from: string,
  { toAddress, recipientDeviceKey, asRequest }: Omit<Envelope, keyof SealedCopy>,
): string {
  bytes.set(LABEL);
  writeAddress(from, bytes, LABEL.length);
  writeAddress(toAddress, bytes, LABEL.length + ADDRESS_BYTES);
  bytes[FLAGS_AT] = (recipientDeviceKey === undefined ? 0 : HAS_KEY) | (asRequest ? AS_REQUEST : 0);
  bytes.set(recipientDeviceKey === undefined ? NO_KEY : decodeBase64Url(recipientDeviceKey), FLAGS_AT + 1);
  return sha256Text(bytes);
}
