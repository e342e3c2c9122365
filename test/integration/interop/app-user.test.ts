/**
 * A client written from the protocol's page alone talks with a user of our app, over the real relay.
 */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/account.ts';
import { Calls, type HandleRecord, type InboxEnvelope } from '../../interop/calls.ts';
import { only } from '../../interop/only.ts';
import { type Body, encodePayload } from '../../interop/payload.ts';
import { type Envelope, seal } from '../../interop/sealing.ts';
import { allMessages, callEngine, eventually, setUp, TestEngine } from '../../support/engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let engine: TestEngine;
let ada: Account;
/** The address of the engine's user. */
let grace: string;

beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

let handles = 0;
beforeEach(async () => {
  handles += 1;
  engine = await new TestEngine(relay.url).start();
  const handle = `grace_${handles}`;
  await setUp(engine, handle);
  ada = await Account.signUp(relay.url);
  grace = (await ada.session.expect<HandleRecord>(200, 'GET', `/handles/${handle}`)).address;
});
afterEach(() => engine[Symbol.asyncDispose]());

/** Seals a message for every device of the engine's user and posts the copies. */
async function write(
  body: Body,
  options: { asRequest?: boolean; signed?: boolean; calls?: Calls } = {},
): Promise<void> {
  const copies = await ada.sealFor(await ada.keysOf(grace), body, options);
  await post(copies, options.calls);
}

async function post(envelopes: Envelope[], calls = ada.session): Promise<void> {
  for (const envelope of envelopes) await calls.expect(201, 'POST', '/envelopes', envelope);
}

/** Polls, opens and acknowledges until a text arrives; other kinds are read too. */
async function nextText(): Promise<{ envelope: InboxEnvelope; body: Body; signed: boolean }> {
  for (;;) {
    const { envelopes } = await ada.poll(20);
    const messages = await Promise.all(envelopes.map((envelope) => ada.read(envelope)));
    await ada.acknowledge(envelopes.map(({ id }) => id));
    const text = messages.find(({ body }) => body.kind === 'text');
    if (text) return text;
  }
}

/** Writes one more signed message and waits until it is shown: whatever came before has been dealt with by then. */
async function textsShownBefore(marker: string): Promise<string[]> {
  await write(ada.text(grace, marker));
  const isMarker = ({ text }: { text: string }) => text === marker;
  const shown = await eventually(
    () => allMessages(engine),
    (messages) => messages.some(isMarker),
  );
  return shown.filter((message) => !isMarker(message)).map(({ text }) => text);
}

async function apiKey(): Promise<Calls> {
  await ada.session.expect(200, 'PUT', '/me/developer-access', { enabled: true });
  const { secret } = await ada.session.expect<{ secret: string }>(201, 'POST', '/me/api-keys', {
    name: 'Robot',
  });
  return new Calls(relay.url, secret);
}

describe("an independent client and our app's user", () => {
  it('write to each other: a request, accepted, answered and answered again', async () => {
    await write(ada.text(grace, 'May I write to you?'), { asRequest: true });
    const arrived = await eventually(
      () => allMessages(engine),
      (messages) => messages.length > 0,
    );
    expect(only(arrived)).toMatchObject({
      text: 'May I write to you?',
      sender: ada.wallet.address,
      state: 'received',
      trust: 'verified',
    });
    const conversation = only(await callEngine(engine, 'conversations.list', {}));
    expect(conversation).toMatchObject({ state: 'request', peer: { address: ada.wallet.address } });

    const accepted = await callEngine(engine, 'conversations.accept', { id: conversation.id });
    expect(accepted.state).toBe('accepted');
    const answer = { conversationId: conversation.id, text: 'You may. Schön, dass du da bist 🌍' };
    await callEngine(engine, 'messages.send', answer);
    const received = await nextText();
    expect(received.signed).toBe(true);
    expect(received.body).toMatchObject({ text: answer.text, sender: grace, peer: ada.address });
    expect(received.envelope).toMatchObject({ from: grace, via: 'session' });

    await write(ada.text(grace, 'Good'));
    const all = await eventually(
      () => allMessages(engine),
      (messages) => messages.length === 3,
    );
    expect(all.map(({ text, state, trust }) => [text, state, trust])).toEqual([
      ['May I write to you?', 'received', 'verified'],
      [answer.text, 'sent', 'self'],
      ['Good', 'received', 'verified'],
    ]);
  });

  it('the app shows a message once, though it was sealed and sent twice', async () => {
    const body = ada.text(grace, 'only once');
    await write(body);
    await write(body);
    expect(await textsShownBefore('and this')).toEqual(['only once']);
  });

  it('the app reads a copy that names no device key', async () => {
    const copies = await ada.sealFor(await ada.keysOf(grace), ada.text(grace, 'for any device'));
    await post(copies.map(({ recipientDeviceKey: _, ...copy }) => copy));
    expect(await textsShownBefore('and this')).toEqual(['for any device']);
  });

  it('the app writes to the new seal key and the new devices after they changed', async () => {
    await write(ada.text(grace, 'before'));
    await eventually(
      () => allMessages(engine),
      (messages) => messages.length === 1,
    );
    const conversation = only(await callEngine(engine, 'conversations.list', {}));
    await callEngine(engine, 'conversations.accept', { id: conversation.id });
    await ada.rotateSealKey();
    await callEngine(engine, 'messages.send', { conversationId: conversation.id, text: 'after' });
    expect((await nextText()).body.text).toBe('after');
  });
});

describe("an independent client that shares a wallet with our app's user", () => {
  let app: TestEngine;
  beforeEach(async () => {
    app = await new TestEngine(relay.url).start();
    const identity = { kind: 'import' as const, secret: ada.privateKey };
    await callEngine(app, 'setup.finish', { relay: { kind: 'embedded' }, identity });
  });
  afterEach(() => app[Symbol.asyncDispose]());

  it('finds both devices in the list, which the app has continued', async () => {
    const { deviceList, deviceKeys } = await ada.keysOf(ada.address);
    expect(deviceList.sequence).toBe(2);
    expect(deviceList.devices).toHaveLength(2);
    expect(deviceList.devices).toContainEqual(ada.device.listed);
    expect(deviceKeys).toContain(ada.device.sealKeys.publicKey);
  });

  it('gets a copy of what the app sends, and the app shows what this client sent', async () => {
    const bob = await Account.signUp(relay.url);
    const { id: conversationId } = await callEngine(app, 'conversations.open', {
      address: bob.wallet.address,
    });
    await callEngine(app, 'messages.send', { conversationId, text: 'from the app' });
    const copy = await nextText();
    expect(copy).toMatchObject({
      signed: true,
      envelope: { from: ada.address, toAddress: ada.address },
      body: { text: 'from the app', peer: bob.address },
    });

    const own = await ada.keysOf(ada.address);
    const others = own.deviceKeys.filter((key) => key !== ada.device.sealKeys.publicKey);
    await post(await ada.sealFor({ ...own, deviceKeys: others }, ada.text(bob.address, 'from this client')));
    const shown = await eventually(
      () => allMessages(app),
      (messages) => messages.length === 2,
    );
    expect(shown.map(({ text, trust }) => [text, trust])).toEqual([
      ['from the app', 'self'],
      ['from this client', 'self'],
    ]);
  });
});

describe('a message that no device signed', () => {
  it("is shown as from an API when the sender's device list allows that", async () => {
    await ada.certify(['api']);
    const calls = await apiKey();
    await write(ada.text(grace, '21 degrees'), { signed: false, calls });
    const shown = await eventually(
      () => allMessages(engine),
      (messages) => messages.length > 0,
    );
    expect(only(shown)).toMatchObject({ text: '21 degrees', trust: 'api' });
  });

  it('is shown too when the list came to allow it after the app had seen an older one', async () => {
    await write(ada.text(grace, 'signed'));
    await eventually(
      () => allMessages(engine),
      (messages) => messages.length === 1,
    );
    await ada.certify(['api']);
    const calls = await apiKey();
    await write(ada.text(grace, '21 degrees'), { signed: false, calls });
    const shown = await eventually(
      () => allMessages(engine),
      (messages) => messages.length === 2,
    );
    expect(shown.map(({ trust }) => trust)).toEqual(['verified', 'api']);
  });

  it('is never shown when the list does not allow it', async () => {
    const calls = await apiKey();
    await write(ada.text(grace, 'not allowed'), { signed: false, calls });
    expect(await textsShownBefore('signed')).toEqual([]);
  });

  it('is never shown when only bots are allowed', async () => {
    await ada.certify(['bots']);
    const calls = await apiKey();
    await write(ada.text(grace, 'not a bot'), { signed: false, calls });
    expect(await textsShownBefore('signed')).toEqual([]);
  });
});

describe('a signed message that does not hold', () => {
  const cases: [string, (body: Body) => Body | Promise<Body>][] = [
    ['names another sender', (body) => ({ ...body, sender: `0x${'12'.repeat(20)}` })],
    ['names another peer', (body) => ({ ...body, peer: ada.address })],
  ];
  it.each(cases)('is not shown when it %s', async (_, change) => {
    await write(await change(ada.text(grace, 'forged')));
    expect(await textsShownBefore('honest')).toEqual([]);
  });

  it('is not shown when a device signed it that the list does not name', async () => {
    const stranger = await Account.signUp(relay.url);
    await postPayload(encodePayload(ada.text(grace, 'forged'), stranger.device));
    expect(await textsShownBefore('honest')).toEqual([]);
  });

  it('is not shown when another key signed it under the name of a listed device', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    await postPayload(encodePayload(ada.text(grace, 'forged'), { ...ada.device, signingKey: privateKey }));
    expect(await textsShownBefore('honest')).toEqual([]);
  });

  async function postPayload(payload: ReturnType<typeof encodePayload>): Promise<void> {
    const { deviceKeys } = await ada.keysOf(grace);
    const route = { from: ada.address, toAddress: grace, recipientDeviceKey: only(deviceKeys) };
    await post([await seal(payload, route)]);
  }
});
