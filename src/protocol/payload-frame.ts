/**
 * The outside of a payload: channel, who vouches for it, and the body as bytes (docs/protocol.md, 'Payload').
 *
 *   label(9) | 0x02 | auth | body          label: "SEALEDMSG" or "SEALEDGRP"
 *   auth: 0x00, or 0x01 | deviceId(16) | signature(64), or 0x02 | botId(16) | signature(64)
 */
import { type PrivateKey, sha256, signEd25519, verifyEd25519 } from './crypto.ts';
import { deviceIdOf } from './device-id.ts';
import { concatBytes, encodeBase64Url, encodeUtf8, equalBytes } from './encoding.ts';
import { type FaultOf, FormatError } from './faults.ts';

export type PayloadChannel = 'direct' | 'group';

const SIGNATURE_LABEL = encodeUtf8('waxwing/payload/v2');
const LABELS = { direct: encodeUtf8('SEALEDMSG'), group: encodeUtf8('SEALEDGRP') } as const;
const LABEL_BYTES = 9;
const PAYLOAD_VERSION = 0x02;
const KEY_ID_BYTES = 16;
const SIGNATURE_BYTES = 64;
const UNSIGNED = 0x00;
const SIGNED_BY = { device: 0x01, bot: 0x02 } as const;

/**
 * The signer: a device that a wallet certifies, or a bot that a group's roster names. Both are named by a hash of
 * their key.
 */
export type PayloadSigner = keyof typeof SIGNED_BY;

/** An invalid payload, or one with an invalid signature. */
export class PayloadError extends FormatError<FaultOf<'payload'>> {
  override readonly name = 'PayloadError';
}

export interface PayloadFrame {
  channel: PayloadChannel;
  /** Null for an unsigned payload. `id`: the first 16 bytes of SHA-256 of the key, in base64url. */
  signer: { kind: PayloadSigner; id: string } | null;
  /** The exact signed bytes. */
  body: Uint8Array;
  /** SHA-256 of the body: 32 bytes. */
  bodyHash: Uint8Array;
  /** Reports whether the signature is valid for this Ed25519 key. Always false for an unsigned payload. */
  isSignedBy(key: Uint8Array): boolean;
}

function signedBytes(label: Uint8Array, bodyHash: Uint8Array): Uint8Array {
  return concatBytes(SIGNATURE_LABEL, label, bodyHash);
}

/**
 * A payload of a body.
 * @param signer null for an unsigned payload
 */
export function encodeFrame(
  channel: PayloadChannel,
  body: Uint8Array,
  signer: { kind: PayloadSigner; key: PrivateKey } | null,
): Uint8Array {
  const label = LABELS[channel];
  const head = concatBytes(label, Uint8Array.of(PAYLOAD_VERSION));
  if (!signer) return concatBytes(head, Uint8Array.of(UNSIGNED), body);
  const { kind, key } = signer;
  const signature = signEd25519(key, signedBytes(label, sha256(body)));
  return concatBytes(head, Uint8Array.of(SIGNED_BY[kind]), deviceIdOf(key.publicKey), signature, body);
}

/**
 * Splits a payload. Checks neither the body nor the signature.
 * @throws PayloadError for an invalid payload
 */
export function decodeFrame(payload: Uint8Array): PayloadFrame {
  const label = payload.subarray(0, LABEL_BYTES);
  const channel = equalBytes(label, LABELS.direct)
    ? 'direct'
    : equalBytes(label, LABELS.group)
      ? 'group'
      : null;
  if (!channel) throw new PayloadError('label');
  if (payload[LABEL_BYTES] !== PAYLOAD_VERSION) throw new PayloadError('version');

  const auth = payload[LABEL_BYTES + 1];
  const begin = LABEL_BYTES + 2;
  if (auth === UNSIGNED) {
    const body = payload.subarray(begin);
    return { channel, signer: null, body, bodyHash: sha256(body), isSignedBy: () => false };
  }
  const kind = auth === SIGNED_BY.device ? 'device' : auth === SIGNED_BY.bot ? 'bot' : null;
  if (!kind) throw new PayloadError('signing');
  const end = begin + KEY_ID_BYTES + SIGNATURE_BYTES;
  if (payload.length < end) throw new PayloadError('cut');
  const signature = payload.subarray(begin + KEY_ID_BYTES, end);
  const body = payload.subarray(end);
  const bodyHash = sha256(body);
  return {
    channel,
    signer: { kind, id: encodeBase64Url(payload.subarray(begin, begin + KEY_ID_BYTES)) },
    body,
    bodyHash,
    isSignedBy: (key) => verifyEd25519(key, signedBytes(label, bodyHash), signature),
  };
}
