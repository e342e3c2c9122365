import { expect, test } from 'vitest';
import { Opener } from '../../../../src/messaging/receiving/open.ts';
import { importEd25519, type PrivateKey, randomBytes } from '../../../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../../../src/protocol/device-id.ts';
import { encodeBase64Url, encodeUtf8 } from '../../../../src/protocol/encoding.ts';
import { sealCopy } from '../../../../src/protocol/envelope.ts';
import { encodeFrame } from '../../../../src/protocol/payload-frame.ts';
import { hybridPublicKey, importHybrid } from '../../../../src/protocol/x-wing.ts';

const route = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}` };
const header = { asRequest: false, automated: false, senderListSequence: 1, recipientListSequence: 1 };
const secret = randomBytes(32);
const [phone, laptop] = [importEd25519(randomBytes(32)), importEd25519(randomBytes(32))] as const;
const body = encodeUtf8('{}');

function deviceOf({ publicKey }: PrivateKey) {
  return { deviceId: encodeBase64Url(deviceIdOf(publicKey)), key: encodeBase64Url(publicKey) };
}

function open(payload: Uint8Array, senderDevices: { deviceId: string; key: string }[]) {
  const copy = sealCopy(route, hybridPublicKey(importHybrid(secret)), header, payload);
  const [opened] = new Opener().open([{ route, asRequest: false, copy, secrets: [secret], senderDevices }]);
  return opened;
}

const signed = encodeFrame('direct', body, { kind: 'device', key: phone });

test('returns the key of the device that signed', () => {
  const devices = [deviceOf(laptop), deviceOf(phone)];
  expect(open(signed, devices)?.verifiedKey).toBe(deviceOf(phone).key);
});

test.each([
  ['an unknown device', signed, [deviceOf(laptop)]],
  ['a device with another key', signed, [{ ...deviceOf(phone), key: deviceOf(laptop).key }]],
  ['a changed body', Uint8Array.of(...signed, 32), [deviceOf(phone)]],
  ['nobody', encodeFrame('direct', body, null), [deviceOf(phone)]],
  [
    'a bot with the key of a device',
    encodeFrame('group', body, { kind: 'bot', key: phone }),
    [deviceOf(phone)],
  ],
  ['bytes that are no payload', encodeUtf8('anything'), [deviceOf(phone)]],
])('opens a copy of %s without a verified key', (_, payload, devices) => {
  expect(open(payload, devices)).toEqual({ header, payload: Buffer.from(payload), verifiedKey: null });
});
