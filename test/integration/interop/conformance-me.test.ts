/**
 * The caller and the rights of its credential: the specification's §4.1 and §5, the protocol's §5, §6 and §8.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { Calls, type Group, type Me, type Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { beginning, entryBy, groupText, readChain, sealForGroup } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const FOR_API_KEYS = ['directory:read', 'envelopes:send', 'inbox:read', 'groups:read', 'groups:send'];

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let owner: Account;
let group: Group;

beforeAll(async () => {
  await relay.start();
  owner = await Account.signUp(relay.url, ['api']);
  await owner.session.expect(200, 'PUT', '/me/handle', { handle: 'owner' });
  await owner.session.expect(200, 'PUT', '/me/profile', { displayName: 'The owner' });
  group = await createGroup(owner);
});
afterAll(() => relay[Symbol.asyncDispose]());

const whoAmI = (calls: Calls) => calls.expect<Me>(200, 'GET', '/me');

describe('GET /me', () => {
  it('§4.1: introspects a session', async () => {
    const session = await owner.login();
    expect(await whoAmI(owner.session)).toEqual({
      address: owner.address,
      handle: 'owner',
      displayName: 'The owner',
      developerApi: expect.any(Boolean),
      deletesAt: null,
      credential: {
        type: 'session',
        id: expect.stringMatching(/^[\w-]+$/),
        name: null,
        prefix: null,
        entitlements: expect.toSatisfy((openPoll: string[]) =>
          [...FOR_API_KEYS, 'account:manage', 'groups:manage'].every((one) => openPoll.includes(one)),
        ),
        expiresAt: session.expiresAt,
      },
      limits: expect.any(Object),
      quotas: expect.any(Object),
    });
  });

  it('§4.1: introspects an API key and its entitlements', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const entitlements = ['directory:read', 'inbox:read'];
    const key = await createApiKey(owner, { name: 'Reader', entitlements, expiresAt });
    expect(await whoAmI(key.calls)).toMatchObject({
      address: owner.address,
      handle: 'owner',
      displayName: 'The owner',
      developerApi: true,
      credential: {
        type: 'api_key',
        id: key.id,
        name: 'Reader',
        prefix: key.secret.slice(0, 12),
        entitlements,
        expiresAt,
      },
    });
  });

  it("§4.1: introspects a group token, whose address is the group creator's", async () => {
    const token = await createToken(owner, group.id, 'Release bot');
    expect(await whoAmI(token.calls)).toMatchObject({
      address: owner.address,
      credential: {
        type: 'group_token',
        id: token.id,
        name: 'Release bot',
        prefix: token.secret.slice(0, 12),
        entitlements: ['groups:read', 'groups:send', 'blobs'],
        expiresAt: null,
        groupId: group.id,
      },
    });
  });

  it('docs §15: reports the quotas of an account and of a group', async () => {
    expect((await whoAmI(owner.session)).quotas).toEqual({
      devices: 16,
      apiKeys: 50,
      groups: 500,
      groupTokens: 50,
      sessions: 8,
      groupMembers: 5_000,
      invitations: 20,
    });
  });

  it('§8: reports the limits, by default 64 KiB, 16 MiB, 500, 5,000, 10,000, 256 MiB and 30 days', async () => {
    expect((await whoAmI(owner.session)).limits).toEqual({
      payloadBytes: 65_536,
      bodyBytes: 4 * 1024 * 1024,
      batchEnvelopes: 500,
      groupEnvelopes: 5_000,
      queueEnvelopes: 10_000,
      queueBytes: 256 * 1024 * 1024,
      blobBytes: 100 * 1024 * 1024,
      accountBlobBytes: 2 * 1024 * 1024 * 1024,
      retentionSeconds: 30 * 24 * 60 * 60,
    });
  });

  it('§8: reports the configured limits', async () => {
    await using small = await new TestRelay({ limits: { batchEnvelopes: 3, queueEnvelopes: 2 } }).start();
    const { session } = await Account.signUp(small.url);
    expect((await whoAmI(session)).limits).toMatchObject({ batchEnvelopes: 3, queueEnvelopes: 2 });
  });

  it('§1: names null where there is no handle and no name', async () => {
    const { session } = await Account.signUp(relay.url);
    expect(await whoAmI(session)).toMatchObject({ handle: null, displayName: null, developerApi: false });
  });
});

describe('an entitlement', () => {
  const calls: { entitlement: string; name: string; call: (calls: Calls) => ReturnType<typeof send> }[] = [];
  const send = (of: Calls, method: string, path: string, body?: unknown) =>
    of.send<Problem>(method, path, body);
  const needs = (entitlement: string, name: string, call: (calls: Calls) => ReturnType<typeof send>) =>
    calls.push({ entitlement, name, call });
  const device = () => owner.device.listed.deviceId;

  needs('directory:read', 'GET /handles/:handle', (of) => send(of, 'GET', '/handles/owner'));
  needs('directory:read', 'GET /handles', (of) => send(of, 'GET', '/handles?q=own'));
  needs('directory:read', 'GET /keys/:address', (of) => send(of, 'GET', `/keys/${owner.address}`));
  needs('envelopes:send', 'POST /envelopes', async (of) => {
    const keys = await owner.keysOf(owner.address);
    const [envelope] = await owner.sealFor(keys, owner.text(owner.address, 'To myself'), { signed: false });
    return send(of, 'POST', '/envelopes', envelope);
  });
  needs('inbox:read', 'GET /inbox', (of) => send(of, 'GET', `/inbox?device=${device()}`));
  needs('inbox:read', 'POST /inbox/ack', (of) =>
    send(of, 'POST', '/inbox/ack', { device: device(), ids: ['none'] }),
  );
  needs('groups:read', 'GET /groups', (of) => send(of, 'GET', '/groups'));
  needs('groups:read', 'GET /groups?mine=1', (of) => send(of, 'GET', '/groups?mine=1'));
  needs('groups:read', 'GET /groups/:id', (of) => send(of, 'GET', `/groups/${group.id}`));
  needs('groups:send', 'POST /groups/:id/envelopes', async (of) => {
    const envelopes = await sealForGroup(
      owner.session,
      group,
      groupText(group, owner.address, 'To my group'),
    );
    return send(of, 'POST', `/groups/${group.id}/envelopes`, { envelopes });
  });
  needs('account:manage', 'PUT /me/handle', (of) => send(of, 'PUT', '/me/handle', { handle: 'owner' }));
  needs('account:manage', 'PUT /me/profile', (of) => send(of, 'PUT', '/me/profile', { displayName: 'O' }));
  needs('account:manage', 'PUT /me/devices', (of) =>
    send(of, 'PUT', '/me/devices', { deviceList: owner.list, sealKeys: [] }),
  );
  needs('account:manage', 'PUT /me/developer-access', (of) =>
    send(of, 'PUT', '/me/developer-access', { enabled: true }),
  );
  needs('account:manage', 'GET /me/api-keys', (of) => send(of, 'GET', '/me/api-keys'));
  needs('account:manage', 'POST /me/api-keys', (of) => send(of, 'POST', '/me/api-keys', { name: 'Key' }));
  needs('groups:manage', 'POST /groups', (of) =>
    send(of, 'POST', '/groups', { entries: beginning(owner, 'Another').entries }),
  );
  needs('groups:manage', 'POST /groups/:id/roster', async (of) => {
    const entry = entryBy(owner, await readChain(owner, group.id), 'change', { description: 'Changed' });
    return send(of, 'POST', `/groups/${group.id}/roster`, { entry });
  });
  needs('groups:manage', 'PUT /groups/:id/listing', (of) =>
    send(of, 'PUT', `/groups/${group.id}/listing`, { listed: true }),
  );
  needs('groups:manage', 'POST /groups/:id/admission', (of) =>
    send(of, 'POST', `/groups/${group.id}/admission`, {}),
  );
  needs('groups:manage', 'POST /groups/:id/tokens', (of) =>
    send(of, 'POST', `/groups/${group.id}/tokens`, { name: 'Bot' }),
  );

  it.each(calls)('$entitlement allows a session to call $name', async ({ call }) => {
    expect((await call(owner.session)).status).toBeLessThan(300);
  });

  it.each(calls.filter(({ entitlement }) => FOR_API_KEYS.includes(entitlement)))(
    '$entitlement alone lets an API key call $name',
    async ({ entitlement, call }) => {
      const { calls: of } = await createApiKey(owner, { entitlements: [entitlement] });
      expect((await call(of)).status).toBeLessThan(300);
    },
  );

  it.each(calls)('§5: without $entitlement $name is 403, and the detail names it', async (row) => {
    const entitlements = FOR_API_KEYS.filter((one) => one !== row.entitlement);
    const answer = await row.call((await createApiKey(owner, { entitlements })).calls);
    expectProblem(answer, 403, 'missing_entitlement');
    expect(answer.body.detail).toContain(row.entitlement);
  });

  it.each(calls.filter(({ entitlement }) => !['groups:read', 'groups:send'].includes(entitlement)))(
    '§5: a group token never holds $entitlement for $name',
    async ({ entitlement, call }) => {
      const answer = await call((await createToken(owner, group.id)).calls);
      expectProblem(answer, 403, 'missing_entitlement');
      expect(answer.body.detail).toContain(entitlement);
    },
  );

  it.each(calls)('§5.1: $name needs a credential', async ({ call }) => {
    expectProblem(await call(new Calls(relay.url, null)), 401, 'unauthorized');
  });

  it('§6: GET /me accepts a key of any entitlement', async () => {
    for (const entitlement of FOR_API_KEYS) {
      const { calls: of } = await createApiKey(owner, { entitlements: [entitlement] });
      expect(only((await whoAmI(of)).credential.entitlements)).toBe(entitlement);
    }
  });
});
