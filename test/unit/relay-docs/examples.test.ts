import { expect, test } from 'vitest';
import { toChecksumAddress } from '../../../src/protocol/address.ts';
import { findDeviceListFault } from '../../../src/protocol/device-list.ts';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import { openCopy } from '../../../src/protocol/envelope.ts';
import { decodePayload } from '../../../src/protocol/payload.ts';
import { findSealKeyFault } from '../../../src/protocol/seal-key.ts';
import { verifySiwe } from '../../../src/protocol/siwe.ts';
import { makeExamples } from '../../../src/relay-docs/examples/index.ts';
import { EXAMPLE_TIME } from '../../../src/relay-docs/examples/people.ts';

const { calls, world } = makeExamples();
const { ann, bob } = world;
const now = Date.parse(EXAMPLE_TIME);

test('device lists and seal keys are signed', () => {
  for (const { address, deviceList, sealKeyStatement } of [ann, bob]) {
    expect(findDeviceListFault(address, deviceList, now)).toBeNull();
    const [device] = deviceList.devices;
    if (!device) throw new Error('no device');
    expect(findSealKeyFault(address, device, sealKeyStatement, now)).toBeNull();
  }
});

test('the login answers the challenge', () => {
  const [{ response: challenge }] = calls.createChallenge;
  const [{ request: login }] = calls.createSession;
  const fields = { ...challenge, address: toChecksumAddress(login.address) };
  expect(verifySiwe(fields, login.signature, { domain: world.relay.host, nonce: challenge.nonce, now })).toBe(
    true,
  );
});

test('the copies of the group post open, each with its recipient’s key', () => {
  const [{ request }] = calls.sendGroupEnvelopes;
  for (const person of [ann, bob]) {
    const envelope = request.envelopes.find(({ toAddress }) => toAddress === person.address);
    if (!envelope) throw new Error('no copy');
    const copy = {
      ciphertext: decodeBase64Url(envelope.ciphertext),
      ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
      nonce: decodeBase64Url(envelope.nonce),
    };
    const route = { from: ann.address, to: person.address };
    const { payload } = openCopy(route, person.sealKey, copy, false);
    expect(decodePayload(payload).body).toMatchObject({ text: 'Version 2.4 is out.' });
  }
});
