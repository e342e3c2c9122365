/**
 * What is inside a sealed message to a person or a group, protocol §3: a label, who signed, and the body.
 */
import { sign } from 'node:crypto';
import { type Bytes, concat, fromBase64url, same, sha256, utf8 } from './bytes.ts';
import { type Device, type DeviceList, isSignedBy } from './device.ts';

const DIRECT = 'SEALEDMSG';
const GROUP = 'SEALEDGRP';
const LABEL_LENGTH = 9;
const VERSION = 2;
const UNSIGNED = 0;
const SIGNED = 1;
const DEVICE_ID_LENGTH = 16;
const SIGNATURE_LENGTH = 64;

/** The fields of a text message, to a peer or to a group. Addresses are lower case. */
export interface Body {
  id: string;
  sender: string;
  sentAt: string;
  seq: number;
  kind: string;
  peer?: string;
  groupId?: string;
  members?: string;
  text?: string;
  /** The sender's own device list; in every signed body. */
  list?: ListReference;
}

/** A device list by its number and the SHA-256 of its text. */
export interface ListReference {
  sequence: number;
  hash: string;
}

type Label = typeof DIRECT | typeof GROUP;

/** A payload taken apart, its signature not yet checked. */
export interface Payload {
  label: Label;
  body: Body;
  bodyBytes: Bytes;
  signed: { deviceId: Bytes; signature: Bytes } | null;
}

/** Writes a payload, labelled for a group if the body names one; without a device nobody signs it. */
export function encodePayload(body: Body, device: Device | null): Bytes {
  const label = body.groupId === undefined ? DIRECT : GROUP;
  const bodyBytes = utf8(JSON.stringify(body));
  if (!device) return concat(utf8(label), Uint8Array.of(VERSION, UNSIGNED), bodyBytes);
  const signature = sign(null, signedBytes(label, bodyBytes), device.signingKey);
  const deviceId = fromBase64url(device.listed.deviceId);
  return concat(utf8(label), Uint8Array.of(VERSION, SIGNED), deviceId, signature, bodyBytes);
}

/** @throws Error when it is no payload of version 2, or its label is not the one for its body */
export function decodePayload(payload: Bytes): Payload {
  const start = LABEL_LENGTH + 2;
  const label = [DIRECT, GROUP].find((known) => same(payload.subarray(0, LABEL_LENGTH), utf8(known)));
  const [version, auth] = payload.subarray(LABEL_LENGTH, start);
  if ((label !== DIRECT && label !== GROUP) || version !== VERSION)
    throw new Error('not a payload of version 2');
  if (auth === UNSIGNED) return { ...decodeBody(label, payload.slice(start)), signed: null };
  if (auth !== SIGNED) throw new Error('an unknown kind of authentication');
  const signatureAt = start + DEVICE_ID_LENGTH;
  const bodyAt = signatureAt + SIGNATURE_LENGTH;
  const signed = {
    deviceId: payload.slice(start, signatureAt),
    signature: payload.slice(signatureAt, bodyAt),
  };
  return { ...decodeBody(label, payload.slice(bodyAt)), signed };
}

/**
 * Checks that a device of the sender's list signed the payload.
 * @throws Error otherwise
 */
export function verifyPayload(payload: Payload, senderList: DeviceList): void {
  const { signed } = payload;
  if (!signed) throw new Error('nobody signed this message');
  const device = senderList.devices.find(({ deviceId }) => same(fromBase64url(deviceId), signed.deviceId));
  if (!device) throw new Error("the signing device is not in the sender's list");
  if (!isSignedBy(device, signedBytes(payload.label, payload.bodyBytes), signed.signature)) {
    throw new Error('the signature is wrong');
  }
}

function decodeBody(label: Label, bodyBytes: Bytes): Omit<Payload, 'signed'> {
  const body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes)) as Body;
  if ((body.groupId === undefined) !== (label === DIRECT)) throw new Error('the label is not for this body');
  return { label, body, bodyBytes };
}

function signedBytes(label: Label, bodyBytes: Bytes): Bytes {
  return concat(utf8('waxwing/payload/v2'), utf8(label), sha256(bodyBytes));
}
