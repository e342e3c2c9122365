import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { LISTS_A_DAY, PREVIOUS_KEY_WINDOW } from '../../../../src/protocol/figures.ts';
import { newPerson, Person, TestDevice } from '../../../support/person.ts';
import { ROOMY_RATES } from '../../../support/rates.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('a published list and its keys are public', async () => {
  const ann = await new Person(relay).login();
  const body = ann.devicesBody([ann.device]);
  const { body: published } = await relay.call('putDevices', { token: ann.token, body });
  expect(published).toEqual({
    address: ann.address,
    deviceKeys: [ann.device.sealKeyText],
    deviceList: body.deviceList,
    sealKeys: body.sealKeys,
    profile: null,
  });
  const ben = await newPerson(relay);
  const read = await relay.call('getKeys', { token: ben.token, params: { address: ann.address } });
  expect(read.body).toEqual(published);
  const again = await relay.call('putDevices', { token: ann.token, body });
  expect(again.body).toEqual(published);
});

test('keys come with the public handle of their address, and no other', async () => {
  const ann = await newPerson(relay);
  const { token, address } = ann;
  const profile = async () => (await relay.call('getKeys', { token, params: { address } })).body.profile;
  await relay.call('putHandle', { token, body: { handle: 'ann_public' } });
  expect(await profile()).toMatchObject({ handle: 'ann_public', address, verified: false });
  await relay.call('putHandle', { token, body: { handle: 'ann_private', public: false } });
  expect(await profile()).toBeNull();
});

test('an address without devices is not found', async () => {
  const { token, address } = await new Person(relay).login();
  await relay.refuse('not_found', 'getKeys', { token, params: { address } });
  await relay.refuse('invalid_request', 'getKeys', { token, params: { address: '0x12' } });
});

test('a list that does not follow the published one is a conflict', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const skipped = ann.nextList([ann.device], { sequence: 3 });
  await relay.refuse('device_list_conflict', 'putDevices', {
    token,
    body: { deviceList: skipped, sealKeys: [] },
  });
  const elsewhere = ann.nextList([ann.device], { previous: encodeBase64Url(randomBytes(32)) });
  await relay.refuse('device_list_conflict', 'putDevices', {
    token,
    body: { deviceList: elsewhere, sealKeys: [] },
  });
  const restarted = ann.nextList([ann.device], { sequence: 1, previous: null, unsigned: ['api'] });
  await relay.refuse('device_list_conflict', 'putDevices', {
    token,
    body: { deviceList: restarted, sealKeys: [] },
  });
});

test('one of two simultaneous lists after the same list is accepted', async () => {
  const ann = await newPerson(relay);
  const lists = [ann.nextList([ann.device]), ann.nextList([ann.device], { unsigned: ['api'] })];
  const answers = await Promise.all(
    lists.map((deviceList) =>
      relay.fetch('/api/v1/me/devices', {
        method: 'PUT',
        token: ann.token,
        body: { deviceList, sealKeys: [] },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('an unproven list is refused', async () => {
  const [ann, ben] = [await new Person(relay).login(), new Person(relay)];
  const { token } = ann;
  const body = ann.devicesBody([ann.device]);
  const foreign = { ...body, deviceList: ben.nextList([ann.device]) };
  await relay.refuse('invalid_request', 'putDevices', { token, body: foreign });
  const future = ann.nextList([ann.device], { issued: encodeTime(relay.now() + 3_600_000) });
  await relay.refuse('invalid_request', 'putDevices', { token, body: { ...body, deviceList: future } });
  const wrongId = ann.nextList([{ ...ann.device, id: new TestDevice().id } as TestDevice]);
  await relay.refuse('invalid_request', 'putDevices', { token, body: { ...body, deviceList: wrongId } });
  const extra = { ...body, deviceList: { ...body.deviceList, note: 'x' } };
  await relay.refuse('invalid_request', 'putDevices', { token, body: extra });
});

test('a seal key is published with the list or later, and belongs to a device in it', async () => {
  const ann = await newPerson(relay);
  const { token, address } = ann;
  const [second, third] = [new TestDevice(), new TestDevice()];
  const deviceList = ann.nextList([ann.device, second, third]);
  const stranger = new TestDevice().statement(address, relay.now());
  await relay.refuse('invalid_request', 'putDevices', { token, body: { deviceList, sealKeys: [stranger] } });
  const twice = [second.statement(address, relay.now()), second.statement(address, relay.now() + 1)];
  await relay.refuse('invalid_request', 'putDevices', { token, body: { deviceList, sealKeys: twice } });
  const { body } = await relay.call('putDevices', {
    token,
    body: { deviceList, sealKeys: [second.statement(address, relay.now())] },
  });
  expect(body.deviceList).toEqual(deviceList);
  expect(body.deviceKeys).toEqual([ann.device.sealKeyText, second.sealKeyText]);
});

test('a listed device without a seal key logs in, and has a queue from its first statement on', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { token, address } = ann;
  const tablet = new TestDevice();
  const body = { deviceList: ann.nextList([ann.device, tablet]), sealKeys: [] };
  const { body: published } = await relay.call('putDevices', { token, body });
  expect(published.deviceKeys).toEqual([ann.device.sealKeyText]);
  expect((await relay.call('putDevices', { token, body })).body).toEqual(published);
  ann.list = body.deviceList;

  const renewal = ann.renewal(encodeTime(relay.now()), relay.domain, tablet);
  const { body: session } = await relay.call('createSession', { body: renewal });
  await relay.refuse('unauthorized', 'createSession', { body: renewal });
  const query = { device: tablet.id };
  await relay.refuse('unknown_device', 'getInbox', { token: session.token, query });
  await relay.refuse('unknown_device', 'sendEnvelopes', {
    token: ben.token,
    body: ben.seal(ann, tablet, 'too early'),
  });
  const { recipientDeviceKey: _, ...forAll } = ben.seal(ann, ann.device, 'for all devices');
  await relay.call('sendEnvelopes', { token: ben.token, body: forAll });

  const sealKey = tablet.statement(address, relay.now());
  const params = { deviceId: tablet.id };
  for (const _ of ['first', 'again']) {
    const { body: keys } = await relay.call('putSealKey', {
      token: session.token,
      params,
      body: { sealKey },
    });
    expect(keys.deviceKeys).toEqual([ann.device.sealKeyText, tablet.sealKeyText]);
  }
  expect((await relay.call('getInbox', { token: session.token, query })).body.envelopes).toEqual([]);
  await relay.call('sendEnvelopes', { token: ben.token, body: ben.seal(ann, tablet, 'in time') });
  const { envelopes } = (await relay.call('getInbox', { token: session.token, query })).body;
  expect(envelopes.map((envelope) => ann.open(envelope, tablet.sealing))).toEqual(['in time']);
});

test('a device removed before it had a seal key loses its sessions', async () => {
  const ann = await newPerson(relay);
  const tablet = new TestDevice();
  const deviceList = ann.nextList([ann.device, tablet]);
  await relay.call('putDevices', { token: ann.token, body: { deviceList, sealKeys: [] } });
  ann.list = deviceList;
  const renewal = ann.renewal(encodeTime(relay.now()), relay.domain, tablet);
  const { body: session } = await relay.call('createSession', { body: renewal });
  await ann.publishDevices([ann.device]);
  await relay.refuse('unauthorized', 'getMe', { token: session.token });
  const again = ann.renewal(encodeTime(relay.now() + 1), relay.domain, tablet);
  await relay.refuse('unauthorized', 'createSession', { body: again });
  const body = { sealKey: tablet.statement(ann.address, relay.now()) };
  const params = { deviceId: tablet.id };
  await relay.refuse('unknown_device', 'putSealKey', { token: ann.token, params, body });
});

test('a seal key that names a list above the published one is a conflict', async () => {
  const ann = await newPerson(relay);
  const { token, address, device } = ann;
  const params = { deviceId: device.id };
  device.rotateInTurn();
  const ahead = device.statement(address, relay.now(), 1e9, 2);
  const refused = await relay.refuse('seal_key_conflict', 'putSealKey', {
    token,
    params,
    body: { sealKey: ahead },
  });
  expect(refused.body.detail).toContain('names device list 2, and the published one is 1');
  const deviceList = ann.nextList([device]);
  const beyond = device.statement(address, relay.now(), 1e9, 3);
  await relay.refuse('seal_key_conflict', 'putDevices', { token, body: { deviceList, sealKeys: [beyond] } });
  await relay.call('putDevices', { token, body: { deviceList, sealKeys: [ahead] } });
});

// The limit of older lists published again is tested in test/contract/relay-store/device-lists.test.ts.
test('an account publishes twenty new lists in a day, and then older ones again', async () => {
  const ann = await newPerson(relay);
  const { device } = ann;
  const next = (changes = {}) => ({ deviceList: ann.nextList([device], changes), sealKeys: [] });
  const publish = async (changes = {}) => {
    const body = next(changes);
    await relay.call('putDevices', { token: ann.token, body });
    ann.list = body.deviceList;
    return body;
  };
  while ((ann.list?.sequence ?? 0) < LISTS_A_DAY) await publish();
  const last = { deviceList: ann.list, sealKeys: [] };
  const refused = await relay.refuse('rate_limited', 'putDevices', { token: ann.token, body: next() });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(23 * 3600);
  expect(wait).toBeLessThanOrEqual(24 * 3600);
  // Publishing the same list again does not count.
  await relay.call('putDevices', { token: ann.token, body: last });

  const earlier = { issued: encodeTime(relay.now() - 25 * 3_600_000) };
  await publish(earlier);
  await relay.refuse('rate_limited', 'putDevices', { token: ann.token, body: next() });

  relay.ahead += wait * 1000;
  await ann.login();
  await publish();
  relay.ahead = 0;
});

test('copies for the previous seal key are accepted for fifteen minutes', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const seal = (text: string) => ann.seal(ben, ben.device, text);
  const send = async (body: object) => (await relay.call('sendEnvelopes', { token: ann.token, body })).body;
  const [single, batched, lateOne, tooLate] = [
    seal('single'),
    seal('in a batch'),
    seal('last'),
    seal('late'),
  ];
  const before = ben.device.rotateInTurn();
  await ben.publishSealKey();

  await send(single);
  const answer = await send({ envelopes: [batched, seal('for the new key')] });
  expect('results' in answer && answer.results.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
  relay.ahead = PREVIOUS_KEY_WINDOW - 60_000;
  await Promise.all([ann.login(), ben.login()]);
  await send(lateOne);
  relay.ahead = PREVIOUS_KEY_WINDOW + 1_000;
  await Promise.all([ann.login(), ben.login()]);
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ann.token, body: tooLate });
  const keys = [before, before, ben.device.sealing, before];
  const texts = (await ben.inbox()).map((envelope, index) => ben.open(envelope, keys[index]));
  relay.ahead = 0;
  expect(texts).toEqual(['single', 'in a batch', 'for the new key', 'last']);
});

test('a seal key only advances, and repeating it changes nothing', async () => {
  const ann = await newPerson(relay);
  const { token, address, device } = ann;
  const params = { deviceId: device.id };
  const old = device.statement(address, relay.now());
  device.rotate();
  const sealKey = device.statement(address, relay.now());
  const { body } = await relay.call('putSealKey', { token, params, body: { sealKey } });
  expect(body.deviceKeys).toEqual([device.sealKeyText]);
  await relay.call('putSealKey', { token, params, body: { sealKey } });
  await relay.refuse('seal_key_conflict', 'putSealKey', { token, params, body: { sealKey: old } });
  const redated = device.statement(address, relay.now() + 1);
  await relay.refuse('seal_key_conflict', 'putSealKey', { token, params, body: { sealKey: redated } });
});

test('a seal key of another device, or an unusable one, is refused', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { token, address, device } = ann;
  const params = { deviceId: device.id };
  device.sequence = 2;
  const publish = () => ({ token, params, body: { sealKey: device.statement(address, relay.now()) } });

  device.sealing = ben.device.sealing;
  await relay.refuse('seal_key_conflict', 'putSealKey', publish());
  device.sealing = { publicKey: new Uint8Array(32) };
  await relay.refuse('invalid_request', 'putSealKey', publish());
  device.rotate();
  const forged = { ...device.statement(address, relay.now()), notAfter: encodeTime(relay.now() + 1e9) };
  await relay.refuse('invalid_request', 'putSealKey', { token, params, body: { sealKey: forged } });
  const long = device.statement(address, relay.now(), 91 * 24 * 3_600_000);
  await relay.refuse('invalid_request', 'putSealKey', { token, params, body: { sealKey: long } });
  const unlisted = new TestDevice();
  const body = { sealKey: unlisted.statement(address, relay.now()) };
  await relay.refuse('unknown_device', 'putSealKey', { token, params: { deviceId: unlisted.id }, body });
  await relay.refuse('invalid_request', 'putSealKey', { token, params, body });
});

test('a skipped key, a key of a removed device, or an expired one is no longer accepted', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const forget = ann.seal(ben, ben.device, 'for a key that is gone');
  ben.device.rotate();
  await ben.publishSealKey();
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ann.token, body: forget });

  const tablet = new TestDevice();
  await ben.publishDevices([ben.device, tablet]);
  const toTablet = ann.seal(ben, tablet, 'for a device that goes');
  tablet.rotateInTurn();
  await ben.publishSealKey(tablet);
  await ben.publishDevices([ben.device]);
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ann.token, body: toTablet });

  const toExpired = ann.seal(ben, ben.device, 'for a key that has run out');
  relay.ahead = 31 * 24 * 3_600_000;
  await Promise.all([ann.login(), ben.login()]);
  ben.device.rotateInTurn();
  await ben.publishSealKey();
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ann.token, body: toExpired });
  relay.ahead = 0;
});

test('a recent seal key of another account is refused', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const before = ann.device.rotateInTurn();
  await ann.publishSealKey();
  ben.device.rotateInTurn();
  ben.device.sealing = before;
  const body = { sealKey: ben.device.statement(ben.address, relay.now()) };
  await relay.refuse('seal_key_conflict', 'putSealKey', {
    token: ben.token,
    params: { deviceId: ben.device.id },
    body,
  });
});

test('an expired seal key is no longer returned', async () => {
  const ann = await newPerson(relay);
  const params = { address: ann.address };
  relay.ahead = 31 * 24 * 3_600_000;
  const later = await new Person(relay).login();
  const { body } = await relay.call('getKeys', { token: later.token, params });
  relay.ahead = 0;
  expect(body).toMatchObject({ deviceKeys: [], sealKeys: [], deviceList: ann.list });
});

test('a device left out of the next list loses its queue, its sessions and its open poll', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const second = new TestDevice();
  await ann.publishDevices([ann.device, second]);
  await relay.call('sendEnvelopes', {
    token: ben.token,
    body: ben.seal(ann, ann.device, 'lost with the device'),
  });
  const { body: renewed } = await relay.call('createSession', { body: ann.renewal() });
  const holding = { token: ann.token, query: { device: second.id, wait: 20 } };
  const openPoll = relay.refuse('unknown_device', 'getInbox', holding);

  await relay.untilPolling(1);
  await ann.publishDevices([new TestDevice()]);
  await openPoll;
  await relay.refuse('unauthorized', 'getMe', { token: renewed.token });
  const query = { device: ann.device.id };
  await relay.refuse('unknown_device', 'getInbox', { token: ann.token, query });
  await ann.publishDevices([ann.device]);
  expect(await ann.inbox()).toEqual([]);
});

test('removing a device ends the other wallet sessions, but not the one that removed it', async () => {
  const ann = await newPerson(relay);
  const tablet = new TestDevice();
  await ann.publishDevices([ann.device, tablet]);
  const caller = ann.token;
  const { body: other } = await relay.call('createSession', { body: await ann.signedChallenge() });
  await ann.publishDevices([ann.device]);
  await relay.call('getMe', { token: caller });
  await relay.refuse('unauthorized', 'getMe', { token: other.token });
});
