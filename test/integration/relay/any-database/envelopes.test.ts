import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url, encodeUtf8 } from '../../../../src/protocol/encoding.ts';
import { newPerson, Person, TestDevice } from '../../../support/person.ts';
import { ROOMY_RATES, WHOLE_QUEUE } from '../../../support/rates.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay();
let ann: Person;
let ben: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
  ben = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

const send = (body: unknown, from = ann) => relay.call('sendEnvelopes', { token: from.token, body });

test('a sealed envelope is accepted, arrives with the sender’s address, and opens', async () => {
  const { status, body } = await send(ann.seal(ben, ben.device, 'Hello Ben', true));
  expect(status).toBe(201);
  const [envelope] = await ben.inbox();
  expect(envelope).toMatchObject({
    id: 'id' in body ? body.id : '',
    from: ann.address,
    toAddress: ben.address,
    recipientDeviceKey: ben.device.sealKeyText,
    asRequest: true,
    via: 'session',
    receivedAt: 'acceptedAt' in body ? body.acceptedAt : '',
  });
  if (envelope) expect(ben.open(envelope)).toBe('Hello Ben');
});

test('the same envelope again gets 200 with the same id and is delivered once, also after acknowledgement and rotation', async () => {
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const envelope = from.seal(to, to.device, 'once');
  const first = await send(envelope, from);
  const again = await send(envelope, from);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  const waiting = await to.inbox();
  expect(waiting).toHaveLength(1);
  const ids = waiting.map(({ id }) => id);
  await relay.call('acknowledge', { token: to.token, body: { device: to.device.id, ids } });

  to.device.rotate();
  const sealKey = to.device.statement(to.address, relay.now());
  const params = { deviceId: to.device.id };
  await relay.call('putSealKey', { token: to.token, params, body: { sealKey } });
  const later = await send(envelope, from);
  expect([later.status, later.body]).toEqual([200, first.body]);
  expect(await to.inbox()).toEqual([]);
  await relay.refuse('unknown_device', 'sendEnvelopes', {
    token: from.token,
    body: { ...from.seal(to, to.device, 'new'), recipientDeviceKey: envelope.recipientDeviceKey },
  });
});

test('another sender, recipient or flag makes another envelope', async () => {
  const envelope = ann.seal(ben, ben.device, 'copied');
  const [first, second] = [await send(envelope), await send(envelope, ben)];
  const { recipientDeviceKey: _, ...broadcast } = envelope;
  const third = await send(broadcast);
  const ids = [first, second, third].map(({ body }) => ('id' in body ? body.id : ''));
  expect(new Set(ids).size).toBe(3);
});

test('without a device key every device of the address gets a copy, and each acknowledges its own', async () => {
  const to = await newPerson(relay);
  const second = new TestDevice();
  await to.publishDevices([to.device, second]);
  const { recipientDeviceKey: _, ...envelope } = ann.seal(to, to.device, 'to all');
  await send(envelope);
  const [one] = await to.inbox();
  const [other] = await to.inbox(second);
  expect(one).toEqual(other);
  expect(one).not.toHaveProperty('recipientDeviceKey');
  const ids = [one?.id];
  await relay.call('acknowledge', { token: to.token, body: { device: to.device.id, ids } });
  expect(await to.inbox()).toEqual([]);
  expect(await to.inbox(second)).toEqual([other]);
});

test('an address without devices is not found; a key of someone else is an unknown device', async () => {
  const { token } = ann;
  const nobody = new Person(relay);
  const { recipientDeviceKey: _, ...broadcast } = ann.seal(nobody, nobody.device, 'hi');
  await relay.refuse('not_found', 'sendEnvelopes', { token, body: broadcast });
  await relay.refuse('unknown_device', 'sendEnvelopes', {
    token,
    body: ann.seal(nobody, nobody.device, 'hi'),
  });
  await relay.refuse('unknown_device', 'sendEnvelopes', { token, body: ann.seal(ben, ann.device, 'hi') });
});

test.each(['plaintext', 'text', 'message', 'body', 'content'])(
  'a field called %s is plaintext',
  async (field) => {
    const { token } = ann;
    const body = { ...ann.seal(ben, ben.device, 'hi'), [field]: 'hi' };
    await relay.refuse('plaintext_rejected', 'sendEnvelopes', { token, body });
    await relay.refuse('plaintext_rejected', 'sendEnvelopes', {
      token,
      body: { [field]: 'hi', toAddress: ben.address },
    });
  },
);

test('malformed sealed fields are reported as plaintext', async () => {
  const good = ann.seal(ben, ben.device, 'hi');
  const bytes = decodeBase64Url(good.ciphertext);
  const altered = (change: (copy: Uint8Array) => void) => {
    const copy = Uint8Array.from(bytes);
    change(copy);
    return encodeBase64Url(copy);
  };
  const readable = altered((copy) => copy.set(encodeUtf8('a'.repeat(copy.length - 12)), 12));
  const wrong = [
    { ciphertext: 'Hello Ben, this is readable' },
    { ciphertext: encodeBase64Url(encodeUtf8('Hello Ben')) },
    { ciphertext: encodeBase64Url(bytes.subarray(1)) },
    { ciphertext: `${good.ciphertext}=` },
    { ciphertext: altered((copy) => copy.set([2], 0)) },
    { ciphertext: altered((copy) => copy.set([2], 1)) },
    { ciphertext: altered((copy) => copy.set([4], 2)) },
    { ciphertext: altered((copy) => copy.set([1], 3)) },
    { ciphertext: readable },
    { ephemeralPublicKey: encodeBase64Url(new Uint8Array(32)) },
    { ephemeralPublicKey: encodeBase64Url(new Uint8Array(32).fill(0xff)) },
    { ephemeralPublicKey: 'short' },
    { nonce: encodeBase64Url(randomBytes(16)) },
    { nonce: 'my nonce' },
    { asRequest: true },
  ];
  for (const change of wrong) {
    await relay.refuse('plaintext_rejected', 'sendEnvelopes', {
      token: ann.token,
      body: { ...good, ...change },
    });
  }
});

test('a missing, unknown or mistyped field is a wrong request', async () => {
  const good = ann.seal(ben, ben.device, 'hi');
  const { nonce: _, ...withoutNonce } = good;
  const wrong = [
    withoutNonce,
    { ...good, priority: 1 },
    { ...good, nonce: 12 },
    { ...good, toAddress: ben.address.toUpperCase() },
    { ...good, toAddress: 'ben' },
    { ...good, recipientDeviceKey: null },
    { ...good, asRequest: 'no' },
    [good],
    'sealed',
    null,
    undefined,
  ];
  for (const body of wrong)
    await relay.refuse('invalid_request', 'sendEnvelopes', { token: ann.token, body });
  const long = { ...good, ciphertext: 'A'.repeat(90_000) };
  await relay.refuse('too_large', 'sendEnvelopes', { token: ann.token, body: long });
});

test('a batch reports the outcome of each envelope, in order', async () => {
  const to = await newPerson(relay);
  const envelopes = ['a', 'b'].map((text) => ann.seal(to, to.device, text));
  const stranger = new TestDevice();
  const body = {
    envelopes: [
      envelopes[0],
      { ...envelopes[1], message: 'b' },
      envelopes[0],
      ann.seal(to, stranger, 'c'),
      { toAddress: to.address },
      'sealed',
      envelopes[1],
    ],
  };
  const { status, body: answer } = await send(body);
  expect(status).toBe(200);
  const results = 'results' in answer ? answer.results : [];
  expect(results.map((result) => (result.status === 'rejected' ? result.error.code : result.status))).toEqual(
    [
      'accepted',
      'plaintext_rejected',
      'duplicate',
      'unknown_device',
      'invalid_request',
      'invalid_request',
      'accepted',
    ],
  );
  expect((await to.inbox()).map((envelope) => to.open(envelope))).toEqual(['a', 'b']);
});

test('an invalid or too large batch is refused as a whole', async () => {
  const { token } = ann;
  const one = ann.seal(ben, ben.device, 'x');
  await relay.refuse('invalid_request', 'sendEnvelopes', { token, body: { envelopes: [] } });
  await relay.refuse('invalid_request', 'sendEnvelopes', { token, body: { envelopes: one } });
  await relay.refuse('invalid_request', 'sendEnvelopes', { token, body: { envelopes: [one], extra: 1 } });
  await relay.refuse('plaintext_rejected', 'sendEnvelopes', {
    token,
    body: { envelopes: [one], text: 'hi' },
  });
  const many = Array.from({ length: 501 }, () => one);
  await relay.refuse('too_large', 'sendEnvelopes', { token, body: { envelopes: many } });
});

test('a full queue refuses new envelopes and keeps the others', async () => {
  await using small = await new TestRelay({ limits: { queueEnvelopes: 2, shares: WHOLE_QUEUE } }).start();
  const [from, to] = [await newPerson(small), await newPerson(small)];
  const envelopes = ['1', '2', '3'].map((text) => from.seal(to, to.device, text));
  for (const body of envelopes.slice(0, 2)) await small.call('sendEnvelopes', { token: from.token, body });
  const refused = { token: from.token, body: envelopes[2] };
  await small.refuse('inbox_full', 'sendEnvelopes', refused);
  const waiting = await to.inbox();
  expect(waiting.map((envelope) => to.open(envelope))).toEqual(['1', '2']);
  const ids = [waiting[0]?.id];
  await small.call('acknowledge', { token: to.token, body: { device: to.device.id, ids } });
  await small.call('sendEnvelopes', refused);
});

test('a queue is full by bytes, too', async () => {
  await using small = await new TestRelay({ limits: { queueBytes: 1000, shares: WHOLE_QUEUE } }).start();
  const [from, to] = [await newPerson(small), await newPerson(small)];
  const big = { token: from.token, body: from.seal(to, to.device, 'x'.repeat(600)) };
  await small.refuse('inbox_full', 'sendEnvelopes', big);
  await small.call('sendEnvelopes', { token: from.token, body: from.seal(to, to.device, 'x') });
});

test('a message of an API key is marked', async () => {
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  await relay.call('putDeveloperAccess', { token: from.token, body: { enabled: true } });
  const { body: key } = await relay.call('createApiKey', { token: from.token, body: { name: 'script' } });
  await relay.call('sendEnvelopes', { token: key.secret, body: from.seal(to, to.device, 'from a script') });
  expect(await to.inbox()).toMatchObject([{ from: from.address, via: 'api_key' }]);
});

test('the rate of mail to one address is limited for all senders together; others are not delayed', async () => {
  const rates = { ...ROOMY_RATES, recipient: { burst: 4, perSecond: 0.1 } };
  await using slow = await new TestRelay({ limits: { rates, shares: WHOLE_QUEUE } }).start();
  const [ann, ben, cat] = [await newPerson(slow), await newPerson(slow), await newPerson(slow)];
  await slow.call('sendEnvelopes', { token: ann.token, body: ann.seal(cat, cat.device, '1') });
  await slow.call('sendEnvelopes', { token: ben.token, body: ben.seal(cat, cat.device, '2') });
  const envelopes = [3, 4].map((count) => ben.seal(cat, cat.device, `${count}`));
  const batch = { envelopes: [...envelopes, ben.seal(ann, ann.device, 'to another')] };
  const { body } = await slow.call('sendEnvelopes', { token: ben.token, body: batch });
  if (!('results' in body)) throw new Error('no results');
  expect(body.results.map((result) => ('error' in result ? result.error.code : result.status))).toEqual([
    'accepted',
    'rate_limited',
    'accepted',
  ]);
  const late = { token: ann.token, body: ann.seal(cat, cat.device, '5') };
  const refused = await slow.refuse('rate_limited', 'sendEnvelopes', late);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('of mail that an account sends to itself and fetches, only a number of ids is stored', async () => {
  const rates = { ...ROOMY_RATES, remembered: { burst: 3, perSecond: 1e-9 } };
  await using other = await new TestRelay({ limits: { rates } }).start();
  const eve = await newPerson(other);
  const first = eve.seal(eve, eve.device, 'first');
  const last = eve.seal(eve, eve.device, 'last');
  const sealed = Array.from({ length: 10 }, (_, index) => eve.seal(eve, eve.device, `text ${index}`));
  for (const body of [first, ...sealed, last]) {
    expect((await other.call('sendEnvelopes', { token: eve.token, body })).status).toBe(201);
    const ids = (await eve.inbox()).map(({ id }) => id);
    expect(ids).toHaveLength(1);
    await other.call('acknowledge', { token: eve.token, body: { device: eve.device.id, ids } });
  }
  expect(await other.rows('SELECT id FROM envelope')).toHaveLength(3);
  expect(await other.rows('SELECT envelope_id FROM sealed')).toEqual([]);
  const statusOf = async (body: unknown) =>
    (await other.call('sendEnvelopes', { token: eve.token, body })).status;
  expect([await statusOf(first), await statusOf(last)]).toEqual([200, 201]);
});

test('repeated and refused envelopes do not reduce the number of stored ids', async () => {
  const rates = { ...ROOMY_RATES, remembered: { burst: 2, perSecond: 1e-9 } };
  await using other = await new TestRelay({ limits: { rates } }).start();
  const [eve, ann] = [await newPerson(other), await newPerson(other)];
  const statusOf = async (body: unknown) =>
    (await other.call('sendEnvelopes', { token: eve.token, body })).status;
  const [first, last] = [eve.seal(ann, ann.device, 'first'), eve.seal(ann, ann.device, 'last')];
  const refused = eve.seal(ann, eve.device, 'refused');
  const statuses: number[] = [];
  for (const body of [first, first, first]) statuses.push(await statusOf(body));
  for (const body of [refused, refused])
    await other.refuse('unknown_device', 'sendEnvelopes', { token: eve.token, body });
  statuses.push(await statusOf(last));
  expect(statuses).toEqual([201, 200, 200, 201]);
  const ids = (await ann.inbox()).map(({ id }) => id);
  await other.call('acknowledge', { token: ann.token, body: { device: ann.device.id, ids } });
  expect(await statusOf(last)).toBe(200);
});
