/** The contents of a sealed copy (docs/protocol.md, 'Payload'): a frame with the signature, and a body of JSON. */
import { z } from 'zod';
import { digestOfHash } from './body-digest.ts';
import type { PrivateKey } from './crypto.ts';
import { ListReference } from './device-list.ts';
import { decodeUtf8, encodeUtf8 } from './encoding.ts';
import { exceedsJsonLimits, MAX_DEPTH } from './json.ts';
import { decodeFrame, encodeFrame, PayloadError } from './payload-frame.ts';
import { Bytes, Kind, OpaqueId, WireAddress, WireTime } from './primitives.ts';
import { RosterReference } from './roster/reference.ts';

export { PayloadError } from './payload-frame.ts';

/** Fields of every body. Fields of later versions are kept, not refused. */
const common = {
  /** 16 random bytes; with the sender, the permanent identity of the message. */
  id: Bytes(16),
  sender: WireAddress,
  sentAt: WireTime,
  /** Counts up for this device and conversation, from 1: a gap shows a missing message. */
  seq: z.number().int().nonnegative(),
  kind: Kind,
  /** The sender's own device list when it signed: reveals a relay that hides a newer one. Required if signed. */
  list: ListReference.optional(),
};

/** Body of a direct message. `peer` is the recipient; in a copy to own devices, the partner. */
export const DirectBody = z.looseObject({ ...common, peer: WireAddress });
/** Body of a group message. `roster` is the newest entry of the group's chain that the sender knows. */
export const GroupBody = z.looseObject({
  ...common,
  groupId: OpaqueId,
  roster: RosterReference,
});
export type DirectBody = z.infer<typeof DirectBody>;
export type GroupBody = z.infer<typeof GroupBody>;

/** `deviceId`: the device that claims to have signed; null for none. */
export type Payload = { deviceId: string | null } & (
  | { channel: 'direct'; body: DirectBody }
  | { channel: 'group'; body: GroupBody }
);

/** The signing device. */
export interface Signer {
  /** Its Ed25519 key. */
  deviceKey: PrivateKey;
  /** The newest known device list of its address; part of the body. */
  list: ListReference;
}

/**
 * Encodes a payload once for all its copies.
 * @param signer null for an unsigned payload (a program without a certified device)
 * @throws z.ZodError if the body lacks a field of its channel
 */
export function encodePayload(
  message: { channel: 'direct'; body: DirectBody } | { channel: 'group'; body: GroupBody },
  signer: Signer | null,
): Uint8Array {
  const body = encodeBody(message, signer?.list ?? null);
  return encodeFrame(message.channel, body, signer && { kind: 'device', key: signer.deviceKey });
}

/**
 * The exact bytes of a body for signing.
 * @param list of the signing device; null for none
 * @throws z.ZodError if the body lacks a field of its channel
 */
export function encodeBody(
  message: { channel: 'direct'; body: DirectBody } | { channel: 'group'; body: GroupBody },
  list: ListReference | null,
): Uint8Array {
  const schema = message.channel === 'direct' ? DirectBody : GroupBody;
  return encodeUtf8(JSON.stringify(schema.parse(list ? { ...message.body, list } : message.body)));
}

/** A parsed payload with an unchecked signature. */
export type UnverifiedPayload = Payload & {
  /** The bot that claims to have signed a group message instead of a device; null for none. */
  botId: string | null;
  /** Digest of the exact bytes of the body. */
  digest: string;
  /** Reports whether the signature is valid for this Ed25519 key. Always false for an unsigned payload. */
  isSignedBy(key: Uint8Array): boolean;
};

/**
 * Parses a payload.
 * @throws PayloadError for an invalid one
 */
export function decodePayload(payload: Uint8Array): UnverifiedPayload {
  const { channel, signer, body, bodyHash, isSignedBy } = decodeFrame(payload);
  const isBot = signer?.kind === 'bot';
  if (isBot && channel === 'direct') throw new PayloadError('bot');
  const deviceId = isBot ? null : (signer?.id ?? null);
  const botId = isBot ? signer.id : null;
  const digest = digestOfHash(bodyHash);
  const json = parseJson(body);
  const decoded: UnverifiedPayload =
    channel === 'direct'
      ? { channel, deviceId, botId, digest, body: parseBody(DirectBody, json), isSignedBy }
      : { channel, deviceId, botId, digest, body: parseBody(GroupBody, json), isSignedBy };
  if (deviceId !== null && !decoded.body.list) {
    throw new PayloadError('list_missing');
  }
  return decoded;
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  let json: unknown;
  try {
    text = decodeUtf8(bytes);
    json = JSON.parse(text);
  } catch {
    throw new PayloadError('json');
  }
  if (exceedsJsonLimits(text, { levels: MAX_DEPTH })) throw new PayloadError('deep');
  return json;
}

function parseBody<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json);
  if (!result.success) throw new PayloadError('fields');
  return result.data;
}
