/**
 * A client written from the protocol's page alone, against the real relay: login, keys, sending and receiving.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import {
  type Accepted,
  Calls,
  type Challenge,
  type HandleRecord,
  type Me,
  type Results,
} from '../../interop/by-hand/calls.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import { only } from '../../interop/by-hand/only.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const steady = new StoppedClock();
const relay = new TestRelay({ steady, limits: { rates: ROOMY_RATES } });
let ada: Account;
let bob: Account;

beforeAll(() => relay.start());
beforeEach(async () => {
  [ada, bob] = await Promise.all([Account.signUp(relay.url), Account.signUp(relay.url)]);
});
afterAll(() => relay[Symbol.asyncDispose]());

describe('an independent client', () => {
  it('logs in with a wallet and sees the rights of its session', async () => {
    const before = Date.now();
    const session = await ada.login();
    expect(session.token).toMatch(/^ses_[\w-]{43}$/);
    expect(session.address).toBe(ada.address);
    const createdAt = Date.parse(session.expiresAt) - 15 * 60_000;
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(Date.now());
    const me = await ada.session.expect<Me>(200, 'GET', '/me');
    expect(me).toMatchObject({
      address: ada.address,
      developerApi: false,
      credential: { type: 'session', expiresAt: session.expiresAt },
    });
    expect(me.credential.entitlements).toContain('account:manage');
  });

  it('can use a login only once, and leave', async () => {
    const anonymous = new Calls(relay.url, null);
    const challenge = await anonymous.expect<Challenge>(200, 'POST', '/auth/challenge', {
      address: ada.address,
    });
    const signature = await ada.wallet.sign(ada.loginText(challenge));
    const body = { address: ada.address, nonce: challenge.nonce, signature };
    const { token } = await anonymous.expect<{ token: string }>(201, 'POST', '/auth/session', body);
    await anonymous.expect(401, 'POST', '/auth/session', body);
    const session = new Calls(relay.url, token);
    await session.expect(204, 'DELETE', '/auth/session');
    await session.expect(401, 'GET', '/me');
  });

  it('renews its session by the signature of its device, once for each signature', async () => {
    const renewed = await ada.renew();
    expect(renewed.address).toBe(ada.address);
    expect((await ada.session.expect<Me>(200, 'GET', '/me')).address).toBe(ada.address);
    const anonymous = new Calls(relay.url, null);
    const again = ada.renewal();
    await anonymous.expect(201, 'POST', '/auth/session', again);
    await anonymous.expect(401, 'POST', '/auth/session', again);
    const late = ada.renewal(Date.now() - 120_000);
    await anonymous.expect(401, 'POST', '/auth/session', late);
  });

  it('claims a handle and a name for the directory', async () => {
    const me = await bob.session.expect<Me>(200, 'PUT', '/me/handle', { handle: 'bob', public: true });
    expect(me.handle).toBe('bob');
    const named = await bob.session.expect<Me>(200, 'PUT', '/me/profile', { displayName: 'Bob B.' });
    expect(named.displayName).toBe('Bob B.');
    const found = await ada.session.expect<HandleRecord>(200, 'GET', '/handles/bob');
    expect(found).toMatchObject({
      handle: 'bob',
      address: bob.address,
      displayName: 'Bob B.',
      verified: false,
    });
    expect(await ada.session.expect<HandleRecord>(200, 'GET', '/handles/@bob')).toEqual(found);
    const search = await ada.session.expect<{ handles: HandleRecord[] }>(200, 'GET', '/handles?q=bo');
    expect(search.handles.map(({ handle }) => handle)).toContain('bob');
  });

  it('publishes a device list and a seal key that another client can verify', async () => {
    const keys = await ada.keysOf(bob.address);
    expect(keys.deviceList).toEqual(bob.list);
    expect(keys.deviceKeys).toEqual([bob.device.sealKeys.publicKey]);
  });

  it('sends one envelope, sends it again with the same id, and the peer verifies its author', async () => {
    const keys = await ada.keysOf(bob.address);
    const body = ada.text(bob.address, 'Hello, Bob');
    const envelope = only(await ada.sealFor(keys, body, { asRequest: true }));
    const first = await ada.session.expect<Accepted>(201, 'POST', '/envelopes', envelope);
    const again = await ada.session.expect<Accepted>(200, 'POST', '/envelopes', envelope);
    expect(again).toEqual(first);

    const { envelopes, more } = await bob.poll();
    expect(more).toBe(false);
    expect(envelopes).toEqual([
      { ...envelope, id: first.id, from: ada.address, via: 'session', receivedAt: expect.any(String) },
    ]);
    expect(await bob.read(only(envelopes))).toMatchObject({ body, signed: true });

    expect(await bob.acknowledge([first.id])).toEqual({ acknowledged: 1 });
    expect(await bob.acknowledge([first.id])).toEqual({ acknowledged: 0 });
    await ada.session.expect(200, 'POST', '/envelopes', envelope);
    expect((await bob.poll()).envelopes).toEqual([]);
  });

  it('sends a batch, answered in order, of which one refused envelope stops no other', async () => {
    const keys = await ada.keysOf(bob.address);
    const one = only(await ada.sealFor(keys, ada.text(bob.address, 'one')));
    const two = only(await ada.sealFor(keys, ada.text(bob.address, 'x'.repeat(5000))));
    const stray = { ...two, toAddress: `0x${'ab'.repeat(20)}` };
    const batch = { envelopes: [one, stray, two, one] };
    const { results } = await ada.session.expect<Results>(200, 'POST', '/envelopes', batch);
    expect(results.map(({ status }) => status)).toEqual(['accepted', 'rejected', 'accepted', 'duplicate']);
    expect(results[3]?.id).toBe(results[0]?.id);
    expect(results[1]?.error?.code).toBe('unknown_device');

    const { envelopes } = await bob.poll();
    const texts = await Promise.all(envelopes.map(async (each) => (await bob.read(each)).body.text));
    expect(texts).toEqual(['one', 'x'.repeat(5000)]);
    await bob.acknowledge(envelopes.map(({ id }) => id));
  });

  it('has a poll answered as soon as an envelope arrives, and empty otherwise', async () => {
    const nothing = bob.poll(1);
    await relay.untilPolling(1);
    steady.pass(1_000);
    expect((await nothing).envelopes).toEqual([]);

    const openPoll = bob.poll(20);
    await relay.untilPolling(1);
    // No time passes from here on: nothing but the envelope ends the poll.
    const envelope = only(await ada.sealFor(await ada.keysOf(bob.address), ada.text(bob.address, 'wake up')));
    await ada.session.expect(201, 'POST', '/envelopes', envelope);
    const { envelopes } = await openPoll;
    expect((await bob.read(only(envelopes))).body.text).toBe('wake up');
    await bob.acknowledge(envelopes.map(({ id }) => id));
  });

  it("reaches the device with the specification's single sample, which names no device key", async () => {
    const keys = await ada.keysOf(bob.address);
    const sealed = only(await ada.sealFor(keys, ada.text(bob.address, 'sample'), { asRequest: true }));
    const { recipientDeviceKey: _, ...sample } = sealed;
    expect(Object.keys(sample).toSorted()).toEqual(
      ['asRequest', 'ciphertext', 'ephemeralPublicKey', 'nonce', 'toAddress'].toSorted(),
    );
    const { id } = await ada.session.expect<Accepted>(201, 'POST', '/envelopes', sample);
    const received = only((await bob.poll()).envelopes);
    expect(received).toMatchObject({ id, ...sample });
    expect(received).not.toHaveProperty('recipientDeviceKey');
    expect((await bob.read(received)).body.text).toBe('sample');
    await bob.acknowledge([id]);
  });

  it('opens nothing that was altered in transit', async () => {
    const keys = await ada.keysOf(bob.address);
    const envelope = only(await ada.sealFor(keys, ada.text(bob.address, 'as it was'), { asRequest: true }));
    await ada.session.expect(201, 'POST', '/envelopes', envelope);
    const received = only((await bob.poll()).envelopes);
    for (const altered of [{ from: bob.address }, { toAddress: ada.address }, { asRequest: false }]) {
      await expect(bob.read({ ...received, ...altered })).rejects.toThrow(/cannot_open|another_address/);
    }
    await bob.acknowledge([received.id]);
  });
});

describe('an independent client with several devices', () => {
  it('adds a second device to its list and gets a copy for each', async () => {
    const cy = await Account.signUp(relay.url);
    const second = await createDevice('api');
    const keys = await cy.certify([], [cy.device, second]);
    expect(keys.deviceList.devices).toHaveLength(2);
    const seen = await ada.keysOf(cy.address);
    expect(new Set(seen.deviceKeys)).toEqual(
      new Set([cy.device.sealKeys.publicKey, second.sealKeys.publicKey]),
    );
    const copies = await ada.sealFor(seen, ada.text(cy.address, 'to both'));
    await ada.session.expect<Results>(200, 'POST', '/envelopes', { envelopes: copies });
    const { envelopes } = await cy.poll();
    expect(envelopes).toHaveLength(1);
    expect(envelopes[0]?.recipientDeviceKey).toBe(cy.device.sealKeys.publicKey);
    expect((await cy.read(only(envelopes))).body.text).toBe('to both');
  });

  it('lists sixteen devices in any order, which are signed in the order of their ids', async () => {
    const cy = await Account.signUp(relay.url);
    const more = await Promise.all(Array.from({ length: 15 }, () => createDevice('app')));
    await cy.certify([], [...more, cy.device]);
    expect((await ada.keysOf(cy.address)).deviceKeys).toHaveLength(16);
  });

  it('ends the sessions of a device that its next list leaves out', async () => {
    const second = await createDevice('app');
    await ada.certify([], [ada.device, second]);
    await ada.renew();
    const ofFirstDevice = ada.session;
    await ada.login();
    await ada.certify([], [second]);
    await ofFirstDevice.expect(401, 'GET', '/me');
    await new Calls(relay.url, null).expect(401, 'POST', '/auth/session', ada.renewal());
  });

  it('rotates a seal key, and others seal to the new one', async () => {
    const dee = await Account.signUp(relay.url);
    const old = dee.device.sealKeys.publicKey;
    const { sealKeys } = await dee.rotateSealKey();
    const { key } = only(sealKeys);
    expect(key).not.toBe(old);
    expect((await ada.keysOf(dee.address)).deviceKeys).toEqual([key]);
  });
});

describe("the specification's typical client flow, with an API key", () => {
  it('goes from the key to a sealed message that its reader opens', async () => {
    const eve = await Account.signUp(relay.url);
    const early = await eve.session.send<{ code: string }>('POST', '/me/api-keys', { name: 'Too early' });
    expect(early.status).toBe(403);
    const unlocked = await eve.session.expect<Me>(200, 'PUT', '/me/developer-access', { enabled: true });
    expect(unlocked.developerApi).toBe(true);
    await eve.certify(['api']);
    const created = await eve.session.expect<{ id: string; prefix: string; secret: string }>(
      201,
      'POST',
      '/me/api-keys',
      { name: 'Weather station', entitlements: ['directory:read', 'envelopes:send', 'inbox:read'] },
    );
    expect(created.secret).toMatch(/^sk_live_[\w-]{43}$/);
    expect(created.secret.slice(0, 12)).toBe(created.prefix);
    const listed = await eve.session.expect<{ apiKeys: object[] }>(200, 'GET', '/me/api-keys');
    expect(listed.apiKeys).toEqual([expect.objectContaining({ id: created.id, name: 'Weather station' })]);
    expect(JSON.stringify(listed)).not.toContain(created.secret);

    await bob.session.expect(200, 'PUT', '/me/handle', { handle: 'bob_2', public: true });
    const key = new Calls(relay.url, created.secret);
    const me = await key.expect<Me>(200, 'GET', '/me');
    expect(me).toMatchObject({
      address: eve.address,
      credential: { type: 'api_key', id: created.id, name: 'Weather station', prefix: created.prefix },
    });
    expect(me.credential.entitlements).toEqual(expect.arrayContaining(['directory:read', 'envelopes:send']));

    const { address } = await key.expect<HandleRecord>(200, 'GET', '/handles/bob_2');
    const keys = await eve.keysOf(address, key);
    const envelope = only(await eve.sealFor(keys, eve.text(address, '21 degrees'), { signed: false }));
    const { id } = await key.expect<Accepted>(201, 'POST', '/envelopes', envelope);
    const received = only((await bob.poll()).envelopes);
    expect(received).toMatchObject({ id, from: eve.address, via: 'api_key' });
    expect(await bob.read(received)).toMatchObject({ body: { text: '21 degrees' }, signed: false });
    await bob.acknowledge([id]);

    const answer = only(await bob.sealFor(await bob.keysOf(eve.address), bob.text(eve.address, 'Thank you')));
    await bob.session.expect(201, 'POST', '/envelopes', answer);
    const { envelopes } = await eve.poll(0, key);
    expect((await eve.read(only(envelopes), key)).body.text).toBe('Thank you');
    expect(await eve.acknowledge([only(envelopes).id], key)).toEqual({ acknowledged: 1 });

    const manage = await key.send<{ code: string }>('PUT', '/me/handle', { handle: 'eve' });
    expect([manage.status, manage.body.code]).toEqual([403, 'missing_entitlement']);
    await eve.session.expect(204, 'DELETE', `/me/api-keys/${created.id}`);
    await key.expect(401, 'GET', '/me');
  });
});
