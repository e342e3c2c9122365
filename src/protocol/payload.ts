/**
 * What is inside a sealed copy (docs/protocol.md, 'Payload'):
 *
 *   label(9) | 0x02 | auth | body          label: "SEALEDMSG" or "SEALEDGRP"
 *   auth: 0x00, or 0x01 | deviceId(16) | signature(64)
 */
import { z } from 'zod';
import { type PrivateKey, sha256, signEd25519, verifyEd25519 } from './crypto.ts';
import { deviceIdOf, ListReference } from './device-list.ts';
import { concatBytes, decodeUtf8, encodeBase64Url, encodeUtf8, equalBytes } from './encoding.ts';
import { Bytes, OpaqueId, WireAddress, WireTime } from './primitives.ts';

const SIGNATURE_LABEL = encodeUtf8('waxwing/payload/v2');
const LABELS = { direct: encodeUtf8('SEALEDMSG'), group: encodeUtf8('SEALEDGRP') } as const;
const LABEL_BYTES = 9;
const PAYLOAD_VERSION = 0x02;
const DEVICE_ID_BYTES = 16;
const SIGNATURE_BYTES = 64;
/** Levels of objects and lists in a body. What is nested deeper overflows the stack of who writes or copies it. */
const MOST_DEPTH = 32;

/** Fields that every body has. Fields of later versions are kept, not refused. */
const common = {
  /** 16 random bytes; with the sender, the message's identity for ever. */
  id: Bytes(16),
  sender: WireAddress,
  sentAt: WireTime,
  /** Counts up for this device and conversation, from 1: a gap shows that something is missing. */
  seq: z.number().int().nonnegative(),
  kind: z.string().min(1).max(32),
  /** The sender's own device list when it signed: a relay that hides a newer one is noticed. Always there if signed. */
  list: ListReference.optional(),
};

/** Body of a direct message. `peer` is the recipient; in a copy to own devices, the partner. */
export const DirectBody = z.looseObject({ ...common, peer: WireAddress });
/** Body of a group message. `members` is the hash of the member list as the sender saw it. */
export const GroupBody = z.looseObject({
  ...common,
  groupId: OpaqueId,
  members: Bytes(32),
});
export type DirectBody = z.infer<typeof DirectBody>;
export type GroupBody = z.infer<typeof GroupBody>;

export type Payload = { deviceId: string | null } & (
  | { channel: 'direct'; body: DirectBody }
  | { channel: 'group'; body: GroupBody }
);

/** A payload that is not one of ours, or whose signature does not hold. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

/** The device that signs. */
export interface Signer {
  /** Its Ed25519 key. */
  deviceKey: PrivateKey;
  /** The newest device list of its address that it knows; goes into the body. */
  list: ListReference;
}

function signedBytes(label: Uint8Array, body: Uint8Array): Uint8Array {
  return concatBytes(SIGNATURE_LABEL, label, sha256(body));
}

/**
 * Encodes a payload once for all its copies.
 * @param signer null where nobody signs (a program without a certified device)
 * @throws z.ZodError if the body lacks a field of its channel
 */
export function encodePayload(
  message: { channel: 'direct'; body: DirectBody } | { channel: 'group'; body: GroupBody },
  signer: Signer | null,
): Uint8Array {
  const schema = message.channel === 'direct' ? DirectBody : GroupBody;
  const signed = signer ? { ...message.body, list: signer.list } : message.body;
  const body = encodeUtf8(JSON.stringify(schema.parse(signed)));
  const label = LABELS[message.channel];
  const head = concatBytes(label, Uint8Array.of(PAYLOAD_VERSION));
  if (!signer) return concatBytes(head, Uint8Array.of(0x00), body);
  const deviceId = deviceIdOf(signer.deviceKey.publicKey);
  const signature = signEd25519(signer.deviceKey, signedBytes(label, body));
  return concatBytes(head, Uint8Array.of(0x01), deviceId, signature, body);
}

/** A payload taken apart, its signature not checked yet. */
export type UnverifiedPayload = Payload & {
  /** Whether the signature holds under this Ed25519 key. Always false where nobody signed. */
  isSignedBy(deviceKey: Uint8Array): boolean;
};

/**
 * Takes a payload apart.
 * @throws PayloadError if it is not one
 */
export function decodePayload(payload: Uint8Array): UnverifiedPayload {
  const label = payload.subarray(0, LABEL_BYTES);
  const channel = equalBytes(label, LABELS.direct)
    ? 'direct'
    : equalBytes(label, LABELS.group)
      ? 'group'
      : null;
  if (!channel) throw new PayloadError('neither SEALEDMSG nor SEALEDGRP');
  if (payload[LABEL_BYTES] !== PAYLOAD_VERSION) throw new PayloadError('an unknown payload version');

  let offset = LABEL_BYTES + 2;
  let deviceId: string | null = null;
  let signature: Uint8Array | null = null;
  const auth = payload[LABEL_BYTES + 1];
  if (auth === 0x01) {
    deviceId = encodeBase64Url(payload.subarray(offset, offset + DEVICE_ID_BYTES));
    signature = payload.subarray(offset + DEVICE_ID_BYTES, offset + DEVICE_ID_BYTES + SIGNATURE_BYTES);
    offset += DEVICE_ID_BYTES + SIGNATURE_BYTES;
    if (payload.length < offset) throw new PayloadError('cut off before the body');
  } else if (auth !== 0x00) {
    throw new PayloadError('an unknown way of signing');
  }

  const bodyBytes = payload.subarray(offset);
  const isSignedBy = (deviceKey: Uint8Array): boolean =>
    signature !== null && verifyEd25519(deviceKey, signedBytes(label, bodyBytes), signature);
  const json = parseJson(bodyBytes);
  const decoded: UnverifiedPayload =
    channel === 'direct'
      ? { channel, deviceId, body: parseBody(DirectBody, json), isSignedBy }
      : { channel, deviceId, body: parseBody(GroupBody, json), isSignedBy };
  if (deviceId !== null && !decoded.body.list) {
    throw new PayloadError('signed, but it does not name the device list of its sender');
  }
  return decoded;
}

function parseJson(bytes: Uint8Array): unknown {
  let json: unknown;
  try {
    json = JSON.parse(decodeUtf8(bytes));
  } catch {
    throw new PayloadError('the body is not JSON');
  }
  if (isDeeper(json, MOST_DEPTH)) throw new PayloadError('the body is nested too deeply');
  return json;
}

/** Whether a value has more than so many levels of objects and lists. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function parseBody<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json);
  if (!result.success) throw new PayloadError('the body lacks a field or has a wrong one');
  return result.data;
}
