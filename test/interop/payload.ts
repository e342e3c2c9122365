/**
 * What is inside a sealed message to a person or a group, protocol §7: a label, who signed, and the body.
 */
import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Bytes, concat, fromBase64url, same, sha256, utf8 } from './bytes.ts';
import { type Channel, isListReference, isPlace } from './contents.ts';
import { type Device, type DeviceList, isSignedBy, type ListedDevice } from './device.ts';
import { isAddress, isBase64url, isId, isRecord, isTime, isWholeNumber } from './forms.ts';

const DIRECT = 'SEALEDMSG';
const GROUP = 'SEALEDGRP';
const LABEL_LENGTH = 9;
const VERSION = 2;
const UNSIGNED = 0;
const SIGNED = 1;
const SIGNED_BY_BOT = 2;
const DEVICE_ID_LENGTH = 16;
const SIGNATURE_LENGTH = 64;

/** The fields of a message, to a peer or to a group. Addresses are lower case. */
export interface Body {
  id: string;
  sender: string;
  sentAt: string;
  seq: number;
  kind: string;
  peer?: string;
  groupId?: string;
  roster?: { epoch: number; hash: string };
  text?: string;
  /** What a version shows that does not know the kind. */
  fallback?: string;
  writtenAt?: string;
  /** The sender's own device list; in every signed body. */
  list?: ListReference;
  /** Of a `hello`: the sender's device lists, oldest first. */
  lists?: DeviceList[];
  /** Of an `invite`: the group and what the inviter calls it. Of a `hello`: a group. */
  group?: string;
  name?: string;
  /** Fields of other kinds. */
  [field: string]: unknown;
}

/** A device list by its number and the SHA-256 of its text. */
export interface ListReference {
  sequence: number;
  hash: string;
}

type Label = typeof DIRECT | typeof GROUP;

/** A payload taken apart, its signature not yet checked. The label says the channel. */
export interface Payload {
  label: Label;
  channel: Channel;
  body: Body;
  bodyBytes: Bytes;
  signed: { deviceId: Bytes; signature: Bytes } | null;
  /** A bot that says it has signed, by the beginning of the hash of its key. */
  bot: { id: Bytes; signature: Bytes } | null;
}

/** Writes a payload, labelled for a group if the body names one; without a device nobody signs it. */
export function encodePayload(body: object, device: Device | null): Bytes {
  return encodeBody(utf8(JSON.stringify(body)), 'groupId' in body ? GROUP : DIRECT, device);
}

/** The same for a body of any bytes. */
export function encodeBody(bodyBytes: Bytes, label: Label, device: Device | null): Bytes {
  if (!device) return concat(utf8(label), Uint8Array.of(VERSION, UNSIGNED), bodyBytes);
  const signature = sign(null, signedBytes(label, bodyBytes), device.signingKey);
  const deviceId = fromBase64url(device.listed.deviceId);
  return concat(utf8(label), Uint8Array.of(VERSION, SIGNED), deviceId, signature, bodyBytes);
}

/** A payload to a group that a bot signs with its Ed25519 key. */
export function encodeByBot(body: Body, key: KeyObject): Bytes {
  const bodyBytes = utf8(JSON.stringify(body));
  const publicKey = fromBase64url(String(createPublicKey(key).export({ format: 'jwk' }).x));
  const id = sha256(publicKey).subarray(0, DEVICE_ID_LENGTH);
  const head = concat(utf8(GROUP), Uint8Array.of(VERSION, SIGNED_BY_BOT), id);
  return concat(head, sign(null, signedBytes(GROUP, bodyBytes), key), bodyBytes);
}

/** @throws Error when it is no payload of version 2, or its body is not well formed for its label and its signature */
export function decodePayload(payload: Bytes): Payload {
  const start = LABEL_LENGTH + 2;
  const label = [DIRECT, GROUP].find((known) => same(payload.subarray(0, LABEL_LENGTH), utf8(known)));
  const [version, auth] = payload.subarray(LABEL_LENGTH, start);
  if ((label !== DIRECT && label !== GROUP) || version !== VERSION)
    throw new Error('not a payload of version 2');
  if (auth === UNSIGNED)
    return { ...decodeBody(label, false, payload.slice(start)), signed: null, bot: null };
  if (auth !== SIGNED && !(auth === SIGNED_BY_BOT && label === GROUP))
    throw new Error('an unknown kind of authentication');
  const signatureAt = start + DEVICE_ID_LENGTH;
  const bodyAt = signatureAt + SIGNATURE_LENGTH;
  if (payload.length < bodyAt) throw new Error('cut off inside the signature');
  const id = payload.slice(start, signatureAt);
  const signature = payload.slice(signatureAt, bodyAt);
  const body = decodeBody(label, auth === SIGNED, payload.slice(bodyAt));
  return auth === SIGNED
    ? { ...body, signed: { deviceId: id, signature }, bot: null }
    : { ...body, signed: null, bot: { id, signature } };
}

/** Whether a payload is signed by the bot with this key, in base64url. */
export function isOfBot({ bot, label, bodyBytes }: Payload, key: string): boolean {
  if (!bot || !same(sha256(fromBase64url(key)).subarray(0, DEVICE_ID_LENGTH), bot.id)) return false;
  return isSignedBy({ key }, signedBytes(label, bodyBytes), bot.signature);
}

/** The device of a list that a payload says has signed it; undefined when the list does not have it. */
export function signerOf({ signed }: Payload, { devices }: DeviceList): ListedDevice | undefined {
  return signed ? devices.find(({ deviceId }) => same(fromBase64url(deviceId), signed.deviceId)) : undefined;
}

/**
 * Checks that a device of the sender's list signed the payload, which had not ended when the relay received it.
 * @throws Error otherwise
 */
export function verifyPayload(payload: Payload, senderList: DeviceList, receivedAt: string): void {
  const { signed } = payload;
  if (!signed) throw new Error('nobody signed this message');
  const device = signerOf(payload, senderList);
  if (!device) throw new Error("the signing device is not in the sender's list");
  if (Date.parse(device.validUntil) <= Date.parse(receivedAt))
    throw new Error('the signing device had ended');
  if (!isSignedBy(device, signedBytes(payload.label, payload.bodyBytes), signed.signature)) {
    throw new Error('the signature is wrong');
  }
}

function decodeBody(label: Label, signed: boolean, bodyBytes: Bytes): Omit<Payload, 'signed' | 'bot'> {
  const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes));
  const channel = label === DIRECT ? 'direct' : 'group';
  if (!isBody(body, channel, signed)) throw new Error('the body is not well formed');
  return { label, channel, body, bodyBytes };
}

/** Whether a value names a kind: 1 to 32 of small letters, digits, dots and underscores. */
export function isKind(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9._]{1,32}$/.test(value);
}

/** Whether a body has the fields of its channel; what its kind wants is another matter. */
function isBody(body: unknown, channel: Channel, signed: boolean): body is Body {
  if (!isRecord(body)) return false;
  const { id, sender, sentAt, seq, kind, list, peer, groupId, roster } = body;
  if (!isBase64url(id, 16) || !isAddress(sender) || !isTime(sentAt) || !isWholeNumber(seq, 0)) return false;
  if (!isKind(kind)) return false;
  if (signed && !isListReference(list)) return false;
  return channel === 'direct' ? isAddress(peer) : isId(groupId) && isPlace(roster);
}

function signedBytes(label: Label, bodyBytes: Bytes): Bytes {
  return concat(utf8('waxwing/payload/v2'), utf8(label), sha256(bodyBytes));
}
