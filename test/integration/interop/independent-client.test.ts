import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Relay, startRelay } from '../../../src/relay/index.ts';
import { base64Url, IndependentClient, nobody } from '../../interop/client.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';

const folder = temporaryFolder();
let relay: Relay;
let ann: IndependentClient;
let ben: IndependentClient;

async function join(handle: string): Promise<IndependentClient> {
  const client = new IndependentClient(relay.url);
  expect((await client.login()).status).toBe(201);
  expect((await client.certify()).status).toBe(200);
  expect((await client.call('PUT', '/me/handle', { handle })).status).toBe(200);
  return client;
}

beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path });
  ann = await join('ann');
  ben = await join('ben');
});

afterAll(async () => {
  await relay.close();
  folder[Symbol.dispose]();
});

test('the typical client flow of the specification works from the document alone', async () => {
  await ann.call('PUT', '/me/developer-access', { enabled: true });
  const { body: key } = await ann.call('POST', '/me/api-keys', { name: 'interop' });
  const me = await ann.call('GET', '/me', undefined, key.secret);
  expect(me.body).toMatchObject({ address: ann.address, credential: { type: 'api_key' } });
  const handle = await ann.call('GET', '/handles/@ben', undefined, key.secret);
  expect(handle.body).toMatchObject({ handle: 'ben', address: ben.address, verified: false });
  const keys = await ann.call('GET', `/keys/${handle.body.address}`, undefined, key.secret);
  expect(keys.body.deviceKeys).toEqual([ben.sealKey]);

  const payload = await ann.payload(ben.address, 'hello from a document');
  const envelope = await ann.envelope(ben.address, ben.sealKey, payload, true);
  const first = await ann.call('POST', '/envelopes', envelope, key.secret);
  const again = await ann.call('POST', '/envelopes', envelope, key.secret);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);

  const inbox = await ben.call('GET', `/inbox?device=${ben.deviceId}&limit=10&wait=5`);
  expect(inbox.body.envelopes).toHaveLength(1);
  const [arrived] = inbox.body.envelopes;
  expect(arrived).toMatchObject({ id: first.body.id, from: ann.address, via: 'api_key', asRequest: true });
  const message = await ben.open(arrived);
  expect(message).toMatchObject({ body: { text: 'hello from a document' }, isSigned: true });
  const ack = { device: ben.deviceId, ids: [arrived.id] };
  expect((await ben.call('POST', '/inbox/ack', ack)).body).toEqual({ acknowledged: 1 });
  expect((await ben.call('POST', '/inbox/ack', ack)).body).toEqual({ acknowledged: 0 });
  expect((await ann.call('POST', '/envelopes', envelope)).status).toBe(200);
  expect((await ben.call('GET', `/inbox?device=${ben.deviceId}`)).body.envelopes).toEqual([]);
});

test('the specification’s sample without a device key reaches the device; a held poll is woken by a batch', async () => {
  const poll = ben.call('GET', `/inbox?device=${ben.deviceId}&wait=20`);
  const payload = await ann.payload(ben.address, 'no device named');
  const { recipientDeviceKey, ...sample } = await ann.envelope(ben.address, ben.sealKey, payload);
  expect(recipientDeviceKey).toBe(ben.sealKey);
  const sent = await ann.call('POST', '/envelopes', {
    envelopes: [sample, { ...sample, toAddress: nobody }],
  });
  expect(sent.body.results).toMatchObject([
    { status: 'accepted' },
    { status: 'rejected', error: { code: 'not_found' } },
  ]);
  const { body } = await poll;
  expect(body.envelopes[0].recipientDeviceKey).toBeUndefined();
  expect((await ben.open(body.envelopes[0])).body.text).toBe('no device named');
  await ben.call('POST', '/inbox/ack', { device: ben.deviceId, ids: [body.envelopes[0].id] });
});

test('a session is renewed by the device alone, once for each signature', async () => {
  const renewed = await ann.renew();
  expect(renewed).toMatchObject({ status: 201, body: { address: ann.address } });
  expect((await ann.call('GET', '/me', undefined, renewed.body.token)).status).toBe(200);
});

test('what is not sealed, not certified or not known is refused with its code', async () => {
  const good = await ann.envelope(ben.address, ben.sealKey, await ann.payload(ben.address, 'x'));
  const refusals: [Record<string, unknown>, number, string][] = [
    [{ ...good, text: 'hello' }, 422, 'plaintext_rejected'],
    [{ ...good, ciphertext: base64Url(Buffer.from('hello '.repeat(60))) }, 422, 'plaintext_rejected'],
    [{ ...good, nonce: base64Url(Buffer.alloc(11)) }, 422, 'plaintext_rejected'],
    [{ ...good, ephemeralPublicKey: base64Url(Buffer.alloc(32)) }, 422, 'plaintext_rejected'],
    [{ ...good, recipientDeviceKey: ann.sealKey }, 422, 'unknown_device'],
    [{ ...good, toAddress: nobody, recipientDeviceKey: undefined }, 404, 'not_found'],
    [{ ...good, colour: 'red' }, 400, 'invalid_request'],
  ];
  for (const [envelope, status, code] of refusals) {
    const answer = await ann.call('POST', '/envelopes', envelope);
    expect([answer.status, answer.body.code, envelope]).toEqual([status, code, envelope]);
  }
  const strangers = ['', 'ses_wrong', `sk_live_${'a'.repeat(43)}`, `gtk_live_${'a'.repeat(43)}`];
  for (const token of strangers) {
    const { status, body } = await ann.call('GET', '/me', undefined, token);
    expect([status, body.code]).toEqual([401, 'unauthorized']);
  }
  const gap = await ben.certify([], (list) => {
    list.sequence = 9;
  });
  expect(gap.status).toBeGreaterThanOrEqual(400);
});

test('messages go between the document’s client and a person who uses the app', async () => {
  await using app = await new TestEngine(relay.url).start();
  const person = (await setUp(app, 'person')).address.toLowerCase();
  const { body: keys } = await ann.call('GET', `/keys/${person}`);
  const [sealKey] = keys.deviceKeys;
  const say = async (text: string, signed: boolean) =>
    ann.call(
      'POST',
      '/envelopes',
      await ann.envelope(person, sealKey, await ann.payload(person, text, signed)),
    );

  await say('unsigned, which Ann does not allow', false);
  await say('signed by my device', true);
  const first = await eventually(
    () => allMessages(app),
    ({ length }) => length > 0,
  );
  expect(first.map(({ text, trust }) => [text, trust])).toEqual([['signed by my device', 'verified']]);
  const [request] = await callEngine(app, 'conversations.list', {});
  expect(request).toMatchObject({ state: 'request', peer: { handle: 'ann' } });

  await callEngine(app, 'conversations.accept', { id: request?.id ?? '' });
  const chat = await openChat(app, 'ann');
  await callEngine(app, 'messages.send', { conversationId: chat.id, text: 'hello, document' });
  const inbox = await ann.call('GET', `/inbox?device=${ann.deviceId}&wait=10`);
  const answer = await ann.open(inbox.body.envelopes[0]);
  expect(answer).toMatchObject({
    from: person,
    body: { text: 'hello, document', kind: 'text' },
    isSigned: true,
  });

  // From the moment on at which Ann's wallet allows it, and not before.
  expect((await ann.certify(['api'])).status).toBe(200);
  await say('unsigned, which Ann allows now', false);
  const all = await eventually(
    () => allMessages(app),
    ({ length }) => length > 2,
  );
  expect(all.at(-1)).toMatchObject({ text: 'unsigned, which Ann allows now', trust: 'api' });
});
