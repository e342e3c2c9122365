/**
 * Payloads, signed and not, and how they are padded.
 */
import { sha256 } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { pad } from '../../../src/protocol/padding.ts';
import { type DirectBody, encodePayload, type GroupBody } from '../../../src/protocol/payload.ts';
import { fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';
import { hex } from '../vectors.ts';

/** Payload lengths on either side of each boundary. */
const LENGTHS = [
  0, 1, 255, 256, 511, 512, 1023, 1024, 2047, 2048, 4095, 4096, 4351, 4352, 8191, 8192, 16_383, 16_384,
  32_767, 32_768, 63_487, 63_488, 65_534, 65_535,
];

export function paddingVectors() {
  return {
    lengths: LENGTHS.map((payload) => ({ payload, padded: pad(new Uint8Array(payload)).length })),
    example: { payload: hex(encodeUtf8('hello')), padded: hex(pad(encodeUtf8('hello'))) },
    tooLong: 65_536,
  };
}

const sender = fixedWallet(0x11).address;
const peer = fixedWallet(0x12).address;
const common = {
  id: encodeBase64Url(fixedBytes(0x0a).subarray(0, 16)),
  sender,
  sentAt: '2026-11-20T20:00:00.000Z',
  seq: 1,
  kind: 'text',
};

export function payloadVectors() {
  const device = fixedDevice(0x21);
  const list = { sequence: 1, hash: encodeBase64Url(fixedBytes(0x51)) };
  const signer = { deviceKey: device.key, list };
  const direct: DirectBody = { ...common, peer, text: 'hello' };
  const group: GroupBody = {
    ...common,
    groupId: encodeBase64Url(new Uint8Array(16).fill(0x47)),
    roster: { epoch: 7, hash: encodeBase64Url(fixedBytes(0x71)) },
    text: 'hello',
  };
  const signed = (label: string, payload: Uint8Array) => {
    const body = payload.subarray(91);
    return {
      body: new TextDecoder().decode(body),
      deviceSeed: hex(fixedBytes(0x21)),
      deviceKey: hex(device.key.publicKey),
      deviceId: hex(payload.subarray(11, 27)),
      bodyHash: hex(sha256(body)),
      signedBytes: hex(concatBytes(encodeUtf8(`waxwing/payload/v2${label}`), sha256(body))),
      signature: hex(payload.subarray(27, 91)),
      payload: hex(payload),
    };
  };
  const unsigned = (payload: Uint8Array) => ({
    body: new TextDecoder().decode(payload.subarray(11)),
    payload: hex(payload),
  });
  const signedDirect = encodePayload({ channel: 'direct', body: direct }, signer);
  const signedGroup = encodePayload({ channel: 'group', body: group }, signer);
  return {
    signedDirect: signed('SEALEDMSG', signedDirect),
    signedGroup: signed('SEALEDGRP', signedGroup),
    unsignedDirect: unsigned(encodePayload({ channel: 'direct', body: { ...direct, seq: 0 } }, null)),
    unsignedGroup: unsigned(encodePayload({ channel: 'group', body: { ...group, seq: 0 } }, null)),
    notSignedBy: [
      { why: 'one bit of the body is changed', payload: hex(flippedLast(signedDirect, 3)) },
      { why: 'one bit of the signature is changed', payload: hex(flippedAt(signedDirect, 30)) },
      {
        why: 'the label was exchanged: the body fits both channels, the signature does not',
        payload: hex(
          concatBytes(
            encodeUtf8('SEALEDGRP'),
            encodePayload({ channel: 'direct', body: { ...direct, ...group } }, signer).subarray(9),
          ),
        ),
      },
    ],
    malformed: [
      {
        why: 'an unknown label',
        payload: hex(concatBytes(encodeUtf8('SEALEDXXX'), signedDirect.subarray(9))),
      },
      { why: 'payload version 1', payload: hex(signedDirect.with(9, 1)) },
      { why: 'an unknown way of signing', payload: hex(signedDirect.with(10, 3)) },
      { why: 'cut off inside the signature', payload: hex(signedDirect.subarray(0, 90)) },
      {
        why: "a signed body that does not name its sender's device list",
        payload: hex(concatBytes(signedDirect.subarray(0, 91), encodeUtf8(JSON.stringify(direct)))),
      },
      { why: 'no body', payload: hex(signedDirect.subarray(0, 91)) },
      {
        why: 'a body that is not JSON',
        payload: hex(concatBytes(signedDirect.subarray(0, 91), encodeUtf8('{'))),
      },
      {
        why: 'a kind in capitals',
        payload: hex(
          concatBytes(
            signedDirect.subarray(0, 91),
            encodeUtf8(JSON.stringify({ ...direct, list, kind: 'TEXT' })),
          ),
        ),
      },
      {
        why: 'a group that is no id',
        payload: hex(
          concatBytes(
            signedGroup.subarray(0, 91),
            encodeUtf8(JSON.stringify({ ...group, list, groupId: '../me' })),
          ),
        ),
      },
      {
        why: 'a direct message with the body of a group message',
        payload: hex(concatBytes(encodeUtf8('SEALEDMSG'), signedGroup.subarray(9))),
      },
    ],
  };
}

function flippedAt(data: Uint8Array, position: number): Uint8Array {
  return data.with(position, (data[position] ?? 0) ^ 0x01);
}

/** Changes a letter of the text `hello` near the end, so that the body stays JSON. */
function flippedLast(data: Uint8Array, fromEnd: number): Uint8Array {
  return flippedAt(data, data.length - fromEnd);
}
