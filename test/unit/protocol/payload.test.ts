import fc, { jsonValue, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import {
  type DirectBody,
  decodePayload,
  encodePayload,
  type GroupBody,
  PayloadError,
} from '../../../src/protocol/payload.ts';
import { anyString } from '../../support/any-string.ts';
import { fixedBytes, fixedDevice } from '../../support/identities.ts';
import { bytes, hex } from '../../support/vectors.ts';

const device = fixedDevice(0x21);
const list = { sequence: 1, hash: encodeBase64Url(fixedBytes(0x51)) };
const signer = { deviceKey: device.key, list };
const common = {
  id: encodeBase64Url(bytes('0a'.repeat(16))),
  sender: `0x${'1a'.repeat(20)}`,
  sentAt: '2026-11-20T20:00:00.000Z',
  seq: 1,
  kind: 'text',
};
const direct: DirectBody = { ...common, peer: `0x${'2b'.repeat(20)}`, text: 'hello' };
const group: GroupBody = {
  ...common,
  groupId: 'g1',
  roster: { epoch: 2, hash: encodeBase64Url(fixedBytes(3)) },
  text: 'hello',
};

test('a signed message names its device, and only that device’s key verifies it', () => {
  const payload = encodePayload({ channel: 'direct', body: direct }, signer);
  expect(hex(payload.subarray(0, 11))).toBe(hex(encodeUtf8('SEALEDMSG\u0002\u0001')));
  const decoded = decodePayload(payload);
  expect(decoded).toMatchObject({
    channel: 'direct',
    deviceId: device.entry.deviceId,
    body: { ...direct, list },
  });
  expect(decoded.isSignedBy(device.key.publicKey)).toBe(true);
  expect(decoded.isSignedBy(fixedDevice(0x22).key.publicKey)).toBe(false);
});

test('no key verifies an unsigned message', () => {
  const payload = encodePayload({ channel: 'group', body: group }, null);
  expect(hex(payload.subarray(0, 11))).toBe(hex(encodeUtf8('SEALEDGRP\u0002\u0000')));
  const decoded = decodePayload(payload);
  expect(decoded).toMatchObject({ channel: 'group', deviceId: null, body: group });
  expect(decoded.isSignedBy(device.key.publicKey)).toBe(false);
});

test('detects every changed byte after the deviceId', () => {
  const payload = encodePayload({ channel: 'direct', body: direct }, signer);
  fc.assert(
    property(nat(payload.length - 28), nat(254), (position, change) => {
      const changed = payload.with(27 + position, (payload[27 + position] ?? 0) ^ (change + 1));
      try {
        expect(decodePayload(changed).isSignedBy(device.key.publicKey)).toBe(false);
      } catch (error) {
        expect(error).toBeInstanceOf(PayloadError);
      }
    }),
    { numRuns: 150 },
  );
});

test('a signature for a direct message is invalid in a group, even with the same body', () => {
  const body = { ...direct, ...group };
  const payload = encodePayload({ channel: 'direct', body }, signer);
  const turned = concatBytes(encodeUtf8('SEALEDGRP'), payload.subarray(9));
  const decoded = decodePayload(turned);
  expect(decoded.channel).toBe('group');
  expect(decoded.isSignedBy(device.key.publicKey)).toBe(false);
});

test('keeps fields of later versions and any text', () => {
  fc.assert(
    property(anyString(), jsonValue(), (text, later) => {
      const body = { ...direct, text, later: JSON.parse(JSON.stringify(later)) as unknown };
      const payload = encodePayload({ channel: 'direct', body }, null);
      expect(decodePayload(payload).body).toEqual(body);
    }),
  );
});

const body = encodeUtf8(JSON.stringify(direct));
const unsignedHead = encodeUtf8('SEALEDMSG\u0002\u0000');

test.each<[string, Uint8Array]>([
  ['nothing', new Uint8Array(0)],
  ['another label', concatBytes(encodeUtf8('SEALEDXXX\u0002\u0000'), body)],
  ['another version', concatBytes(encodeUtf8('SEALEDMSG\u0001\u0000'), body)],
  ['another way of signing', concatBytes(encodeUtf8('SEALEDMSG\u0002\u0002'), body)],
  ['a label alone', encodeUtf8('SEALEDMSG')],
  ['a signature that is cut off', concatBytes(encodeUtf8('SEALEDMSG\u0002\u0001'), new Uint8Array(79))],
  ['no body', unsignedHead],
  ['a body that is not JSON', concatBytes(unsignedHead, encodeUtf8('hello'))],
  ['a body that is not UTF-8', concatBytes(unsignedHead, body, bytes('ff'))],
  ['a body that is a list', concatBytes(unsignedHead, encodeUtf8('[]'))],
  ['the body of a group in a direct message', concatBytes(unsignedHead, encodeUtf8(JSON.stringify(group)))],
])('%s is no payload', (_what, payload) => {
  expect(() => decodePayload(payload)).toThrow(PayloadError);
});

/** The body with a field that is nested this deep, including the body itself. */
function nested(levels: number): Uint8Array {
  const deep = '['.repeat(levels - 1) + ']'.repeat(levels - 1);
  return concatBytes(
    unsignedHead,
    encodeUtf8(JSON.stringify({ ...direct, later: 0 }).replace('"later":0', `"later":${deep}`)),
  );
}

test('refuses bodies nested deeper than 32 levels, so that no stack overflows', () => {
  expect(decodePayload(nested(32)).body).toMatchObject(direct);
  expect(() => decodePayload(nested(33))).toThrow(PayloadError);
  expect(() => decodePayload(nested(32_000))).toThrow(PayloadError);
});

test('refuses a signed body without its sender’s device list', () => {
  const head = encodePayload({ channel: 'direct', body: direct }, signer).subarray(0, 91);
  expect(() => decodePayload(concatBytes(head, body))).toThrow(PayloadError);
});

test.each<[string, object]>([
  ['an id of 15 bytes', { id: encodeBase64Url(bytes('0a'.repeat(15))) }],
  ['a sender in capitals', { sender: `0x${'1A'.repeat(20)}` }],
  ['a time in another form', { sentAt: '2026-11-20' }],
  ['a negative seq', { seq: -1 }],
  ['no kind', { kind: '' }],
  ['no peer', { peer: undefined }],
  ['a device list with the number 0', { list: { ...list, sequence: 0 } }],
])('a body with %s is neither written nor read', (_what, changed) => {
  const wrong = { ...direct, ...changed } as DirectBody;
  expect(() => encodePayload({ channel: 'direct', body: wrong }, null)).toThrow();
  const payload = concatBytes(unsignedHead, encodeUtf8(JSON.stringify(wrong)));
  expect(() => decodePayload(payload)).toThrow(PayloadError);
});
