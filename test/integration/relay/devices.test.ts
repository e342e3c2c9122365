import { afterAll, beforeAll, expect, test } from 'vitest';
import { native } from '../../../src/protocol/crypto/native.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { newPerson, Person, TestDevice } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('a published list and its keys are what everybody reads', async () => {
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

test('keys name the public handle of their address, and no other', async () => {
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
  const elsewhere = ann.nextList([ann.device], { previous: encodeBase64Url(native.randomBytes(32)) });
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

test('of two lists that follow the same one, published at once, one is taken', async () => {
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

test('a list that does not prove itself is refused', async () => {
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

test('each new device brings its seal key, and no other device’s', async () => {
  const ann = await newPerson(relay);
  const { token, address } = ann;
  const second = new TestDevice();
  const deviceList = ann.nextList([ann.device, second]);
  await relay.refuse('invalid_request', 'putDevices', { token, body: { deviceList, sealKeys: [] } });
  const stranger = new TestDevice().statement(address, relay.now());
  await relay.refuse('invalid_request', 'putDevices', { token, body: { deviceList, sealKeys: [stranger] } });
  const twice = [second.statement(address, relay.now()), second.statement(address, relay.now() + 1)];
  await relay.refuse('invalid_request', 'putDevices', { token, body: { deviceList, sealKeys: twice } });
  const { body } = await relay.call('putDevices', {
    token,
    body: { deviceList, sealKeys: [second.statement(address, relay.now())] },
  });
  expect(body.deviceKeys).toEqual([ann.device.sealKeyText, second.sealKeyText]);
});

test('a seal key is rotated upwards only, and the same again changes nothing', async () => {
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

test('a seal key that another device has, or that may not be used, is refused', async () => {
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

test('a seal key that has expired is no longer told', async () => {
  const ann = await newPerson(relay);
  const params = { address: ann.address };
  relay.ahead = 31 * 24 * 3_600_000;
  const later = await new Person(relay).login();
  const { body } = await relay.call('getKeys', { token: later.token, params });
  relay.ahead = 0;
  expect(body).toMatchObject({ deviceKeys: [], sealKeys: [], deviceList: ann.list });
});

test('a device that the next list leaves out loses its queue, its sessions and its held call', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const second = new TestDevice();
  await ann.publishDevices([ann.device, second]);
  await relay.call('sendEnvelopes', {
    token: ben.token,
    body: ben.seal(ann, ann.device, 'lost with the device'),
  });
  const { body: renewed } = await relay.call('createSession', { body: ann.renewal() });
  const holding = { token: ann.token, query: { device: second.id, wait: 20 } };
  const held = relay.refuse('unknown_device', 'getInbox', holding);

  await new Promise((resolve) => setTimeout(resolve, 100));
  await ann.publishDevices([new TestDevice()]);
  await held;
  await relay.refuse('unauthorized', 'getMe', { token: renewed.token });
  const query = { device: ann.device.id };
  await relay.refuse('unknown_device', 'getInbox', { token: ann.token, query });
  await ann.publishDevices([ann.device]);
  expect(await ann.inbox()).toEqual([]);
});

test('a device that is removed takes other wallet sessions with it, but not the one that removed it', async () => {
  const ann = await newPerson(relay);
  const tablet = new TestDevice();
  await ann.publishDevices([ann.device, tablet]);
  const caller = ann.token;
  const { body: other } = await relay.call('createSession', { body: await ann.signedChallenge() });
  await ann.publishDevices([ann.device]);
  await relay.call('getMe', { token: caller });
  await relay.refuse('unauthorized', 'getMe', { token: other.token });
});
