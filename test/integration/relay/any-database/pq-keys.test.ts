/**
 * Post-quantum keys: published beside the statements that name them, identified by digest, and deleted with their device.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { MAX_PQ_KEYS } from '../../../../src/protocol/limits.ts';
import { signSealKey } from '../../../../src/protocol/seal-key.ts';
import { newPerson, Person, TestDevice } from '../../../support/person.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

const answerTo = async (by: Person, digests: (string | null)[]) =>
  (await relay.call('getPqKeys', { token: by.token, body: { digests: digests.map(String) } })).body.keys;

test('anyone finds a post-quantum key by its digest until the device replaces it', async () => {
  const ann = await newPerson(relay, new TestDevice('hybrid'));
  const ben = await newPerson(relay);
  const { pq: first, pqKey } = ann.device;
  const never = Buffer.alloc(32, 1).toString('base64url');
  expect(await answerTo(ben, [first, never])).toEqual({ [String(first)]: pqKey });

  ann.device.rotateInTurn();
  await ann.publishSealKey();
  expect(ann.device.pq).not.toBe(first);
  expect(await answerTo(ben, [first, ann.device.pq])).toEqual({ [String(ann.device.pq)]: ann.device.pqKey });
});

test('a device that is removed, or continues without one, leaves no post-quantum key', async () => {
  const tablet = new TestDevice('hybrid');
  const ann = await newPerson(relay, new TestDevice('hybrid'));
  await ann.publishDevices([ann.device, tablet]);
  expect(Object.keys(await answerTo(ann, [ann.device.pq, tablet.pq]))).toHaveLength(2);

  await ann.publishDevices([ann.device]);
  expect(await answerTo(ann, [ann.device.pq, tablet.pq])).toEqual({
    [String(ann.device.pq)]: ann.device.pqKey,
  });

  const { pq } = ann.device;
  const classic = Object.assign(Object.create(ann.device), { hybrid: null, sequence: 2 }) as TestDevice;
  await ann.publishSealKey(classic);
  expect(await answerTo(ann, [pq])).toEqual({});
});

test('a statement that names a post-quantum key is refused with a missing or wrong one', async () => {
  const ann = await newPerson(relay);
  const device = new TestDevice('hybrid');
  await ann.publishDevices([ann.device, device]);
  device.rotateInTurn();
  const put = async (body: object) => {
    const params = { deviceId: device.id };
    const response = await relay.request('putSealKey', { token: ann.token, params, body });
    return response.ok || `${response.status} ${await response.text()}`;
  };
  const sealKey = device.statement(ann.address, relay.now());
  const other = new TestDevice('hybrid');
  const none = new Uint8Array(1184).fill(0xff);
  const ofNone = signSealKey(
    ann.address,
    device.signing,
    { x25519: device.sealing.publicKey, mlKem: none },
    { sequence: device.sequence, listSequence: 1 },
    { notBefore: relay.now(), notAfter: relay.now() + 60_000 },
  );
  expect(await put({ sealKey })).toContain('missing');
  expect(await put({ sealKey, pqKey: other.pqKey })).toContain('No seal key names');
  expect(await put({ sealKey: ofNone, pqKey: encodeBase64Url(none) })).toContain('not a key of ML-KEM-768');
  expect(await put({ sealKey, pqKey: device.pqKey.slice(4) })).toContain('pqKey');
  expect(await put({ sealKey, pqKey: device.pqKey })).toBe(true);
  // Repeated, as after a lost answer, with it or without.
  expect(await put({ sealKey, pqKey: device.pqKey })).toBe(true);
  expect(await put({ sealKey })).toBe(true);
  expect(Object.values(await answerTo(ann, [device.pq]))).toEqual([device.pqKey]);
});

test('a list is refused if a named post-quantum key is missing', async () => {
  const ann = await new Person(relay, new TestDevice('hybrid')).login();
  const { pqKeys, ...without } = ann.devicesBody([ann.device]);
  await relay.refuse('invalid_request', 'putDevices', { token: ann.token, body: without });
  const { body } = await relay.call('putDevices', { token: ann.token, body: { ...without, pqKeys } });
  expect(body.sealKeys[0]?.pq).toBe(ann.device.pq);
});

test('a thousand keys fit in one answer, and one more is refused', async () => {
  const ann = await newPerson(relay, new TestDevice('hybrid'));
  const digests = Array.from({ length: MAX_PQ_KEYS - 1 }, (_, index) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(index + 1);
    return bytes.toString('base64url');
  });
  expect(await answerTo(ann, [...digests, ann.device.pq])).toEqual({
    [String(ann.device.pq)]: ann.device.pqKey,
  });
  const body = { digests: [...digests, ann.device.pq, ann.device.pq] };
  await relay.refuse('invalid_request', 'getPqKeys', { token: ann.token, body });
});

test('copies in suite 2 are delivered, up to the largest payload', async () => {
  const ann = await newPerson(relay);
  const ben = await newPerson(relay, new TestDevice('hybrid'));
  for (const text of ['hello', 'x'.repeat(65_535)]) {
    const envelope = ann.seal(ben, ben.device, text);
    await relay.call('sendEnvelopes', { token: ann.token, body: envelope });
  }
  const texts = (await ben.inbox()).map((envelope) => ben.open(envelope));
  expect(texts.map((text) => text.length)).toEqual([5, 65_535]);
});
