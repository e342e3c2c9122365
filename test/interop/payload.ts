/**
 * What is inside a sealed direct message, protocol §3: a label, who signed, and the body.
 */
import { sign } from 'node:crypto';
import { type Bytes, concat, fromBase64url, same, sha256, utf8 } from './bytes.ts';
import { type Device, type DeviceList, isSignedBy } from './device.ts';

const LABEL = utf8('SEALEDMSG');
const UNSIGNED = 0;
const SIGNED = 1;
const DEVICE_ID_LENGTH = 16;
const SIGNATURE_LENGTH = 64;

/** The fields of a direct text message. Addresses are lower case. */
export interface Body {
  id: string;
  sender: string;
  sentAt: string;
  seq: number;
  kind: string;
  peer: string;
  text?: string;
}

/** A payload taken apart, its signature not yet checked. */
export interface Payload {
  body: Body;
  bodyBytes: Bytes;
  signed: { deviceId: Bytes; signature: Bytes } | null;
}

/** Writes a payload; without a device nobody signs it. */
export function encodePayload(body: Body, device: Device | null): Bytes {
  const bodyBytes = utf8(JSON.stringify(body));
  if (!device) return concat(LABEL, Uint8Array.of(1, UNSIGNED), bodyBytes);
  const signature = sign(null, signedBytes(bodyBytes), device.signingKey);
  const deviceId = fromBase64url(device.listed.deviceId);
  return concat(LABEL, Uint8Array.of(1, SIGNED), deviceId, signature, bodyBytes);
}

/** @throws Error when it is not a direct payload of version 1 */
export function decodePayload(payload: Bytes): Payload {
  const start = LABEL.length + 2;
  const label = payload.subarray(0, LABEL.length);
  const [version, auth] = payload.subarray(LABEL.length, start);
  if (!same(label, LABEL) || version !== 1) throw new Error('not a direct payload of version 1');
  if (auth === UNSIGNED) return { ...decodeBody(payload.slice(start)), signed: null };
  if (auth !== SIGNED) throw new Error('an unknown kind of authentication');
  const signatureAt = start + DEVICE_ID_LENGTH;
  const bodyAt = signatureAt + SIGNATURE_LENGTH;
  const signed = {
    deviceId: payload.slice(start, signatureAt),
    signature: payload.slice(signatureAt, bodyAt),
  };
  return { ...decodeBody(payload.slice(bodyAt)), signed };
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
  if (!isSignedBy(device, signedBytes(payload.bodyBytes), signed.signature)) {
    throw new Error('the signature is wrong');
  }
}

function decodeBody(bodyBytes: Bytes): { body: Body; bodyBytes: Bytes } {
  return { body: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes)) as Body, bodyBytes };
}

function signedBytes(bodyBytes: Bytes): Bytes {
  return concat(utf8('waxwing/payload/v1'), LABEL, sha256(bodyBytes));
}
