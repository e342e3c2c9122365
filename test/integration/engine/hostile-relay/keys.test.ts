/**
 * A relay that shows other keys than people's own: nothing is sealed for them.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { native } from '../../../../src/protocol/crypto/native.ts';
import type { DeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { AddressKeys } from '../../../../src/protocol/schemas/directory.ts';
import { signSealKey } from '../../../../src/protocol/seal-key.ts';
import { callEngine } from '../../../support/engine.ts';
import { type Honest, newHonest, waitFor, write } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../../../support/person.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** The relay's own wallet and device. */
let mallory: Person;
beforeEach(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  mallory = await newPerson(hostile.relay);
}, 60_000);
afterEach(async () => {
  for (const { engine } of [ann, ben]) await engine[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

/** Changes what `GET /keys/:address` of Ben's says. */
function lieAboutBen(change: (keys: AddressKeys) => unknown): void {
  hostile.lie(({ path, status, body }) =>
    path.includes(`/keys/${ben.address}`) && status === 200 ? change(body as AddressKeys) : undefined,
  );
}

/** Ann's message fails with a sentence, and nothing has left her computer. Told the truth again, it goes. */
async function expectNothingSent(sentence: RegExp): Promise<void> {
  const before = hostile.sent.length;
  const message = await write(ann, ben, 'for Ben alone');
  expect(message).toMatchObject({ state: 'failed', problem: expect.stringMatching(sentence) });
  expect(hostile.sent.slice(before)).toEqual([]);
  hostile.tellTruth();
  await callEngine(ann.engine, 'messages.retry', { id: message.id });
  await waitFor(ben, 'for Ben alone');
}

const UNPROVEN = /do not prove themselves/;

test('keys of the relay’s own wallet are not taken for another’s', async () => {
  const { body: own } = await hostile.relay.call('getKeys', {
    token: mallory.token,
    params: { address: mallory.address },
  });
  lieAboutBen(() => ({ ...own, address: ben.address }));
  await expectNothingSent(UNPROVEN);
});

test('a device that the wallet did not certify does not get into the list', async () => {
  const [device] = mallory.list?.devices ?? [];
  lieAboutBen(({ deviceList, ...keys }) => ({
    ...keys,
    deviceList: { ...deviceList, devices: [...deviceList.devices, device] },
  }));
  await expectNothingSent(UNPROVEN);
});

test('a list whose fields were changed is none', async () => {
  lieAboutBen((keys) => ({ ...keys, deviceList: { ...keys.deviceList, unsigned: ['api', 'bots'] } }));
  await expectNothingSent(UNPROVEN);
});

test('a seal key that the device did not sign is not sealed to', async () => {
  const stranger = native.importEd25519(native.randomBytes(32));
  const { publicKey } = native.importX25519(native.randomBytes(32));
  lieAboutBen((keys) => {
    const times = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 86_400_000 };
    const forged = signSealKey(
      native,
      ben.address,
      stranger,
      publicKey,
      { sequence: 9, listSequence: 1 },
      times,
    );
    const [known] = keys.sealKeys;
    const sealKeys = [{ ...forged, deviceId: known?.deviceId ?? '' }];
    return { ...keys, sealKeys, deviceKeys: [encodeBase64Url(publicKey)] };
  });
  await expectNothingSent(/no device that could read/);
});

test('a seal key whose time is over is not sealed to', async () => {
  lieAboutBen((keys) => ({
    ...keys,
    sealKeys: keys.sealKeys.map((key) => ({ ...key, notAfter: '2020-01-01T00:00:00.000Z' })),
  }));
  await expectNothingSent(/no device that could read/);
});

/** Somebody whom Ann has written to, with two devices; then the first device's seal key changes, so that Ann has to ask. */
async function newAcquaintance(): Promise<{ known: Honest; firstList: Person['list'] }> {
  const firstList = mallory.list;
  await mallory.publishDevices([mallory.device, new TestDevice()]);
  const known: Honest = { engine: ann.engine, address: mallory.address, handle: 'mallory' };
  expect(await write(ann, known, 'seen with two devices')).toMatchObject({ state: 'sent' });
  const { device, token, address } = mallory;
  device.rotate();
  const sealKey = device.statement(address, hostile.relay.now());
  await hostile.relay.call('putSealKey', { token, params: { deviceId: device.id }, body: { sealKey } });
  return { known, firstList };
}

/** From now on the relay shows this list of Mallory's, whose wallet has signed it. */
function show(deviceList: DeviceList | null): void {
  hostile.lie(({ path, status, body }) =>
    path.includes(`/keys/${mallory.address}`) && status === 200
      ? { ...(body as AddressKeys), deviceList }
      : undefined,
  );
}

test('an older list is not believed after a newer, nor after a restart', async () => {
  const { known, firstList } = await newAcquaintance();
  show(firstList);
  for (const text of ['before the restart', 'after the restart']) {
    expect(await write(ann, known, text)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/an older device list than before/),
    });
    await ann.engine.close();
    await ann.engine.start();
  }
});

test('of two lists that a wallet signed side by side, the one seen first stays', async () => {
  const { known } = await newAcquaintance();
  const seen = mallory.list;
  if (!seen) throw new Error('Mallory has no list');
  const { sequence, previous } = seen;
  const aside = mallory.nextList([mallory.device, new TestDevice()], { sequence, previous });
  mallory.list = aside;
  const behindIt = mallory.nextList([mallory.device]);
  for (const [list, sentence] of [
    [aside, /two different device lists with the same number/],
    [behindIt, /a device list that does not follow the one before/],
  ] as const) {
    show(list);
    const problem = expect.stringMatching(sentence);
    expect(await write(ann, known, `${sentence}`)).toMatchObject({ state: 'failed', problem });
    hostile.tellTruth();
  }
});

test('keys that are withheld, where there were some, are told', async () => {
  const { known } = await newAcquaintance();
  hostile.lie((passing) => {
    if (!passing.path.includes(`/keys/${mallory.address}`)) return undefined;
    passing.status = 404;
    return {
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      code: 'not_found',
      detail: 'Nobody',
      requestId: 'x',
    };
  });
  expect(await write(ann, known, 'are you there?')).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(/no device list at all, though it had one before/),
  });
  const details = await callEngine(ann.engine, 'people.details', { address: known.address });
  expect(details.listSequence).toBe(2);
});

test('what cannot be verified is told where a person looks', async () => {
  lieAboutBen((keys) => ({ ...keys, deviceList: { ...keys.deviceList, sequence: 7 } }));
  const details = await callEngine(ann.engine, 'people.details', { address: ben.address });
  expect(details.problem).toMatch(UNPROVEN);
  hostile.tellTruth();
  expect(await callEngine(ann.engine, 'people.details', { address: ben.address })).toMatchObject({
    problem: null,
  });
});
