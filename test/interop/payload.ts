import { randomBytes } from 'node:crypto';
import {
  bytesText,
  concat,
  fromBase64url,
  isBase64url,
  isSame,
  sha256,
  textBytes,
  toBase64url,
} from './bytes.ts';
import {
  type EntryName,
  type Fields,
  idBytes,
  isAddress,
  isEntryName,
  isKind,
  isListName,
  isTime,
  isWhole,
  type ListName,
} from './forms.ts';
import { parseObject, SIGNED_DEPTH } from './json.ts';
import { isSigned, type SigningKey } from './keys.ts';
import { must } from './refusal.ts';

/** The plaintext of a copy: a label, the signer, and a JSON body (section 7). */

export type Channel = 'direct' | 'group';
const LABELS = { direct: 'SEALEDMSG', group: 'SEALEDGRP' } as const;
const VERSION = 2;
const LABEL_BYTES = 9;
const SIGNED_HEAD = LABEL_BYTES + 2 + 16 + 64;

/** The claimed signer of a payload. */
export type Auth =
  | { by: 'nobody' }
  | { by: 'device'; deviceId: string; signature: Uint8Array }
  | { by: 'bot'; botId: string; signature: Uint8Array };

/** The fields that each body has, and the received fields of its kind. */
export interface Body extends Fields {
  readonly id: string;
  readonly sender: string;
  readonly sentAt: string;
  readonly seq: number;
  readonly kind: string;
  /** Only in signed payloads. */
  readonly list?: ListName;
  /** In a direct message. */
  readonly peer?: string;
  /** In a message of a group. */
  readonly groupId?: string;
  readonly roster?: EntryName;
}

export interface Payload {
  channel: Channel;
  auth: Auth;
  body: Body;
  /** The exact bytes of the body, which are stored whole. */
  bytes: Uint8Array;
}

const signedBytes = (channel: Channel, body: Uint8Array): Uint8Array =>
  concat(textBytes('waxwing/payload/v2'), textBytes(LABELS[channel]), sha256(body));

/** A new id of a message. */
export const newId = (): string => toBase64url(randomBytes(16));

/** The payload that carries `body`, signed by a device or a bot, or unsigned. */
export function encodePayload(
  channel: Channel,
  body: Body,
  signer: { by: 'device' | 'bot'; key: SigningKey } | null,
): Uint8Array {
  return encodeBytes(channel, textBytes(JSON.stringify(body)), signer);
}

/** The same for an encoded body, whose bytes are signed and sealed unchanged. */
export function encodeBytes(
  channel: Channel,
  bytes: Uint8Array,
  signer: { by: 'device' | 'bot'; key: SigningKey } | null,
): Uint8Array {
  const label = textBytes(LABELS[channel]);
  if (signer === null) return concat(label, Uint8Array.of(VERSION, 0), bytes);
  const signature = fromBase64url(signer.key.sign(signedBytes(channel, bytes)), 64);
  const way = signer.by === 'device' ? 1 : 2;
  return concat(label, Uint8Array.of(VERSION, way), idBytes(signer.key.id), signature, bytes);
}

function readAuth(payload: Uint8Array, channel: Channel): { auth: Auth; bytes: Uint8Array } {
  const way = payload[LABEL_BYTES + 1];
  if (way === 0) return { auth: { by: 'nobody' }, bytes: payload.subarray(LABEL_BYTES + 2) };
  must(way === 1 || (way === 2 && channel === 'group'), 'malformed', 'an unknown way of signing');
  must(payload.length >= SIGNED_HEAD, 'malformed', 'cut off');
  const id = toBase64url(payload.subarray(LABEL_BYTES + 2, LABEL_BYTES + 18));
  const signature = payload.subarray(LABEL_BYTES + 18, SIGNED_HEAD);
  const auth: Auth =
    way === 1 ? { by: 'device', deviceId: id, signature } : { by: 'bot', botId: id, signature };
  return { auth, bytes: payload.subarray(SIGNED_HEAD) };
}

/** The fields of every body in this channel; fields of the other are ignored. */
function mustBeBody(body: Fields, channel: Channel, auth: Auth): asserts body is Body {
  must(isBase64url(body.id, 16), 'malformed', 'id');
  must(isAddress(body.sender), 'malformed', 'sender');
  must(isTime(body.sentAt), 'malformed', 'sentAt');
  must(isWhole(body.seq, 0, Number.MAX_SAFE_INTEGER), 'malformed', 'seq');
  must(isKind(body.kind), 'malformed', 'kind');
  if (auth.by === 'device') must(isListName(body.list), 'malformed', 'list');
  if (channel === 'direct') must(isAddress(body.peer), 'malformed', 'peer');
  else {
    must(isBase64url(body.groupId, 16), 'malformed', 'groupId');
    must(isEntryName(body.roster), 'malformed', 'roster');
  }
}

/** Reads a payload, refused as `malformed`. The signature is not checked. */
export function decodePayload(payload: Uint8Array): Payload {
  const label = payload.subarray(0, LABEL_BYTES);
  const channel: Channel = isSame(label, textBytes(LABELS.group)) ? 'group' : 'direct';
  must(isSame(label, textBytes(LABELS[channel])), 'malformed', 'an unknown label');
  must(payload[LABEL_BYTES] === VERSION, 'malformed', 'another version');
  const { auth, bytes } = readAuth(payload, channel);
  const body = parseObject(bytes, SIGNED_DEPTH);
  mustBeBody(body, channel, auth);
  return { channel, auth, body, bytes };
}

/** Verifies the signature of a payload with an Ed25519 key in base64url. */
export const isSignedUnder = (payload: Payload, key: string): boolean =>
  payload.auth.by !== 'nobody' &&
  isSigned(fromBase64url(key, 32), payload.auth.signature, signedBytes(payload.channel, payload.bytes));

/** The time of writing, if it is a time no later than `sentAt`. It is shown and does not affect the order. */
export function writtenAt({ body }: Payload): string | null {
  const at = body.writtenAt;
  return isTime(at) && at <= body.sentAt ? at : null;
}

/** A body as text, for debugging. */
export const bodyText = ({ bytes }: Payload): string => bytesText(bytes);

/** The first 16 bytes of the SHA-256 of a body, by which other messages refer to it. */
export const digestOf = (bytes: Uint8Array): string => toBase64url(sha256(bytes).subarray(0, 16));
