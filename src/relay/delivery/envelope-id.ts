/**
 * An envelope's id: a hash of everything that makes it this envelope and no other.
 *
 *   SHA-256("waxwing/envelope/v1" || from(20) || to(20) || flags(1) || recipientDeviceKey(32, zero if none)
 *           || ephemeralPublicKey(32) || nonce(12) || ciphertext)
 *   flags: bit 0 recipientDeviceKey is there, bit 1 asRequest
 *
 * Every part but the last has one length, so no two envelopes give the same bytes.
 */
import { hash } from 'node:crypto';
import { addressBytes } from '../../protocol/address.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { Route, SealedCopy } from '../../protocol/envelope.ts';

const LABEL = Buffer.from('waxwing/envelope/v1');
const NO_KEY = new Uint8Array(32);
const HAS_KEY = 1;
const AS_REQUEST = 2;

/** The id in base64url, 43 characters. */
export function envelopeId(
  route: Route,
  recipientDeviceKey: string | null,
  asRequest: boolean,
  copy: SealedCopy,
): string {
  const flags = (recipientDeviceKey === null ? 0 : HAS_KEY) | (asRequest ? AS_REQUEST : 0);
  const bytes = Buffer.concat([
    LABEL,
    addressBytes(route.from),
    addressBytes(route.to),
    Uint8Array.of(flags),
    recipientDeviceKey === null ? NO_KEY : decodeBase64Url(recipientDeviceKey),
    copy.ephemeralPublicKey,
    copy.nonce,
    copy.ciphertext,
  ]);
  return hash('sha256', bytes, 'base64url');
}
