/**
 * The life of an API key: the specification's §2.3 and §5, the protocol's §5, §6 and §9, and issue 3's requirements for
 * revocation.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { ApiKey, Calls, Inbox, Me, NewApiKey, Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup } from '../../interop/by-hand/credentials.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const MINUTE = 60_000;

const steady = new StoppedClock();
const relay = new TestRelay({ steady, limits: { rates: ROOMY_RATES } });
let owner: Account;

beforeAll(() => relay.start());
beforeEach(async () => {
  owner = await Account.signUp(relay.url);
});
afterAll(() => relay[Symbol.asyncDispose]());

const unlock = (enabled: boolean, account = owner) =>
  account.session.expect<Me>(200, 'PUT', '/me/developer-access', { enabled });
const create = (body: object) => owner.session.send<NewApiKey & Problem>('POST', '/me/api-keys', body);
const list = async (account = owner) =>
  (await account.session.expect<{ apiKeys: ApiKey[] }>(200, 'GET', '/me/api-keys')).apiKeys;
const poll = (calls: Calls) =>
  calls.send<Inbox & Problem>('GET', `/inbox?device=${owner.device.listed.deviceId}&wait=20`);

async function sendToMyself(): Promise<void> {
  const [envelope] = await owner.sealFor(
    await owner.keysOf(owner.address),
    owner.text(owner.address, 'Note'),
  );
  await owner.session.expect(201, 'POST', '/envelopes', envelope);
}

describe('an API key', () => {
  it('§5.2: is created after unlocking Developer API access, not before', async () => {
    expectProblem(await create({ name: 'Too early' }), 403, 'forbidden');
    expect((await unlock(true)).developerApi).toBe(true);
    expect((await create({ name: 'In time' })).status).toBe(201);
  });

  it('§9: is answered once with its secret, sk_live_ and 43 characters, of which the prefix is the first 12', async () => {
    await unlock(true);
    const expiresAt = new Date(Date.now() + MINUTE).toISOString();
    const wanted = { name: 'Builds', entitlements: ['directory:read'], expiresAt };
    const { body } = await create(wanted);
    expect(body).toEqual({
      ...wanted,
      id: expect.stringMatching(/^[\w-]+$/),
      prefix: body.secret.slice(0, 12),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      secret: expect.stringMatching(/^sk_live_[\w-]{43}$/),
    });
    const { secret: _, ...shown } = body;
    const listed = await list();
    expect(listed).toEqual([{ ...shown, lastUsedAt: null, revokedAt: null }]);
    expect(JSON.stringify(listed)).not.toContain(body.secret.slice(12));
  });

  it('§9: has all entitlements of a key and no expiry by default', async () => {
    const key = await createApiKey(owner);
    expect(key.expiresAt).toBeNull();
    expect(key.entitlements.toSorted()).toEqual(
      ['directory:read', 'envelopes:send', 'groups:read', 'groups:send', 'inbox:read'].toSorted(),
    );
  });

  it('§9: is listed with its last use', async () => {
    const { calls } = await createApiKey(owner);
    const before = Date.now();
    await calls.expect(200, 'GET', '/me');
    // The relay may answer before it stores this.
    const lastUsedAt = async () => Date.parse(String(only(await list()).lastUsedAt));
    await expect.poll(lastUsedAt).toBeGreaterThan(before - MINUTE);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name of two lines', { name: 'Two\nlines' }],
    ['an entitlement that only sessions hold', { name: 'Key', entitlements: ['account:manage'] }],
    ['an entitlement that there is not', { name: 'Key', entitlements: ['everything'] }],
    ['an expiry that is no time', { name: 'Key', expiresAt: 'tomorrow' }],
    ['an expiry without milliseconds', { name: 'Key', expiresAt: '2099-01-01T00:00:00Z' }],
    ['an expiry that has passed', { name: 'Key', expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['an unknown field', { name: 'Key', scope: 'all' }],
  ])('§1: is not created with %s', async (_, body) => {
    await unlock(true);
    expectProblem(await create(body), 400, 'invalid_request');
    expect(await list()).toEqual([]);
  });

  it('§8: that was revoked is refused on the next request, and stays listed as revoked', async () => {
    const { id, calls } = await createApiKey(owner);
    await calls.expect(200, 'GET', '/me');
    const before = Date.now();
    await owner.session.expect(204, 'DELETE', `/me/api-keys/${id}`);
    const after = Date.now();
    expectProblem(await calls.send('GET', '/me'), 401, 'unauthorized');
    const revokedAt = Date.parse(String(only(await list()).revokedAt));
    expect(revokedAt).toBeGreaterThanOrEqual(before);
    expect(revokedAt).toBeLessThanOrEqual(after);
    // Revoking again has no effect.
    expect([204, 404]).toContain((await owner.session.send('DELETE', `/me/api-keys/${id}`)).status);
  });

  it('can be revoked by its owner alone', async () => {
    const { id, calls } = await createApiKey(owner);
    const other = await Account.signUp(relay.url);
    expectProblem(await other.session.send('DELETE', `/me/api-keys/${id}`), 404, 'not_found');
    expect(await list(other)).toEqual([]);
    await calls.expect(200, 'GET', '/me');
    expectProblem(await owner.session.send('DELETE', '/me/api-keys/no_such_key'), 404, 'not_found');
  });

  it('§5: that has expired is refused like any other wrong one', async () => {
    await using clocked = await new TestRelay().start();
    const account = await Account.signUp(clocked.url);
    const expiresAt = new Date(Date.now() + MINUTE).toISOString();
    const { calls } = await createApiKey(account, { expiresAt });
    expect((await calls.expect<Me>(200, 'GET', '/me')).credential.expiresAt).toBe(expiresAt);
    clocked.ahead = MINUTE + 1000;
    expectProblem(await calls.send('GET', '/me'), 401, 'unauthorized');
  });

  it('works only while Developer API access is unlocked, and again when it is unlocked again', async () => {
    const { calls } = await createApiKey(owner);
    expect((await unlock(false)).developerApi).toBe(false);
    expectProblem(await calls.send('GET', '/me'), 401, 'unauthorized');
    expectProblem(await create({ name: 'While locked' }), 403, 'forbidden');
    await unlock(true);
    await calls.expect(200, 'GET', '/me');
  });

  it('§5.5: lists the groups of its owner with mine=1', async () => {
    const { id } = await createGroup(owner);
    await createGroup(await Account.signUp(relay.url));
    const { calls } = await createApiKey(owner);
    const { groups } = await calls.expect<{ groups: { id: string }[] }>(200, 'GET', '/groups?mine=1');
    expect(groups.map((each) => each.id)).toEqual([id]);
  });
});

describe('an open poll under an API key', () => {
  it('ends at once with 401 when the key is revoked', async () => {
    const { id, calls } = await createApiKey(owner);
    const openPoll = poll(calls);
    await relay.untilPolling(1);
    await owner.session.expect(204, 'DELETE', `/me/api-keys/${id}`);
    expect(await openPoll).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('ends at once with 401 when Developer API access is locked', async () => {
    const { calls } = await createApiKey(owner);
    const openPoll = poll(calls);
    await relay.untilPolling(1);
    await unlock(false);
    expect(await openPoll).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('returns no message that arrives after the key expired', async () => {
    // Ten seconds before the poll would time out.
    const expiresAt = new Date(relay.now() + 10_000).toISOString();
    const { calls } = await createApiKey(owner, { expiresAt });
    const openPoll = poll(calls);
    await relay.untilPolling(1);
    relay.ahead = 10_000;
    steady.pass(10_000);
    await sendToMyself();
    expect((await openPoll).body.envelopes ?? []).toEqual([]);
    expectProblem(await poll(calls), 401, 'unauthorized');
    relay.ahead = 0;
  });

  it('continues when another key is revoked', async () => {
    const [kept, revoked] = [await createApiKey(owner), await createApiKey(owner)];
    const openPoll = poll(kept.calls);
    await relay.untilPolling(1);
    await owner.session.expect(204, 'DELETE', `/me/api-keys/${revoked.id}`);
    await sendToMyself();
    expect((await openPoll).body.envelopes).toHaveLength(1);
  });
});
