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
import type { EnvelopeToAccept } from '../store/store.ts';

const LABEL = Buffer.from('waxwing/envelope/v1');
const NO_KEY = new Uint8Array(32);

/** The id in base64url, 43 characters. */
export function envelopeId(from: string, envelope: Omit<EnvelopeToAccept, 'id'>): string {
  const key = envelope.recipientDeviceKey;
  const flags = (key === null ? 0 : 1) | (envelope.asRequest ? 2 : 0);
  const bytes = Buffer.concat([
    LABEL,
    addressBytes(from),
    addressBytes(envelope.to),
    Uint8Array.of(flags),
    key === null ? NO_KEY : decodeBase64Url(key),
    envelope.ephemeralPublicKey,
    envelope.nonce,
    envelope.ciphertext,
  ]);
  return hash('sha256', bytes, 'base64url');
}
