import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiKeyEntitlement } from '../../../../src/protocol/credentials.ts';
import { ENDPOINTS, type EndpointName } from '../../../../src/protocol/endpoints.ts';
import { newPerson, Person } from '../../../support/person.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

async function withApiKey(body: object = {}): Promise<Person & { apiKey: string; apiKeyId: string }> {
  const person = await newPerson(relay);
  const { token } = person;
  await relay.call('putDeveloperAccess', { token, body: { enabled: true } });
  const { body: key } = await relay.call('createApiKey', {
    token,
    body: { name: 'script', entitlements: [...ApiKeyEntitlement.options], ...body },
  });
  return Object.assign(person, { apiKey: key.secret, apiKeyId: key.id });
}

test('a handle is claimed, changed and claimed again by its owner; repeating the call is not a conflict', async () => {
  const [ann, ben] = [await new Person(relay).login(), await new Person(relay).login()];
  const { body: me } = await relay.call('putHandle', { token: ann.token, body: { handle: 'ann_1' } });
  expect(me.handle).toBe('ann_1');
  await relay.call('putHandle', { token: ann.token, body: { handle: 'ann_1', public: true } });
  await relay.refuse('handle_taken', 'putHandle', { token: ben.token, body: { handle: 'ann_1' } });
  await relay.call('putHandle', { token: ann.token, body: { handle: 'ann_2' } });
  const { body } = await relay.refuse('handle_taken', 'putHandle', {
    token: ben.token,
    body: { handle: 'ann_1' },
  });
  expect(body.reason).toBe('other_account');
  await relay.call('putHandle', { token: ann.token, body: { handle: 'ann_1' } });
  await relay.refuse('handle_taken', 'putHandle', { token: ben.token, body: { handle: 'ann_2' } });
});

test('one of many simultaneous claims of a handle succeeds', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => new Person(relay).login()));
  const claims = people.map(({ token }) =>
    relay.fetch('/api/v1/me/handle', { method: 'PUT', token, body: { handle: 'wanted' } }),
  );
  const statuses = (await Promise.all(claims)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(9);
});

test.each(['ab', 'Ann', '1ann', 'a-nn', 'ann ', 'a'.repeat(33), '@ann'])(
  '%j is an invalid handle',
  async (handle) => {
    const { token } = await new Person(relay).login();
    await relay.refuse('invalid_request', 'putHandle', { token, body: { handle } });
  },
);

test.each(['admin', 'support', 'security', 'waxwing', 'helpdesk', 'moderator', 'echo', 'ad_min', 'root_'])(
  'the reserved handle @%s cannot be claimed',
  async (handle) => {
    const { token } = await new Person(relay).login();
    const { body } = await relay.refuse('handle_taken', 'putHandle', { token, body: { handle } });
    expect(body).toMatchObject({
      reason: 'reserved',
      detail: expect.stringContaining(`@${handle} is reserved`),
    });
    await relay.call('putHandle', { token, body: { handle: `my_${handle}` } });
  },
);

test('a display name is set and removed; a deceptive one is refused', async () => {
  const { token } = await new Person(relay).login();
  const named = await relay.call('putProfile', { token, body: { displayName: 'Zoë 🐦' } });
  expect(named.body.displayName).toBe('Zoë 🐦');
  const removed = await relay.call('putProfile', { token, body: { displayName: null } });
  expect(removed.body.displayName).toBeNull();
  for (const displayName of ['', ' ann', 'ann\u202egro', 'a\nb', 'x'.repeat(81)]) {
    await relay.refuse('invalid_request', 'putProfile', { token, body: { displayName } });
  }
  await relay.refuse('invalid_request', 'putProfile', { token, body: {} });
});

test('an API key needs unlocked access, shows its secret once, and identifies its owner', async () => {
  const { token } = await new Person(relay).login();
  await relay.refuse('forbidden', 'createApiKey', { token, body: { name: 'early' } });
  await relay.call('putDeveloperAccess', { token, body: { enabled: true } });
  const { body: key } = await relay.call('createApiKey', { token, body: { name: 'script' } });
  expect(key.secret).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
  expect(key.secret.startsWith(key.prefix)).toBe(true);
  expect(key.prefix).toHaveLength(12);

  const { body: me } = await relay.call('getMe', { token: key.secret });
  expect(me.credential).toEqual({
    type: 'api_key',
    id: key.id,
    name: 'script',
    prefix: key.prefix,
    // The default: finding people and sending.
    entitlements: ['directory:read', 'envelopes:send'],
    expiresAt: null,
  });
  const { body: list } = await relay.call('listApiKeys', { token });
  expect(list.apiKeys).toHaveLength(1);
  expect(JSON.stringify(list)).not.toContain(key.secret);
});

test('an API key is limited to its entitlements, and the refusal names the missing one', async () => {
  const { apiKey: token } = await withApiKey({ entitlements: ['directory:read'] });
  await relay.refuse('not_found', 'getHandle', { token, params: { handle: 'nobody' } });
  const { body } = await relay.refuse('missing_entitlement', 'sendEnvelopes', { token, body: {} });
  expect(body.detail).toContain('envelopes:send');
});

test('no API key can manage the account, with any entitlements', async () => {
  const { apiKey: token, token: session } = await withApiKey();
  const managing = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
    (name) => ENDPOINTS[name].access === 'account:manage',
  );
  expect(managing.length).toBeGreaterThan(8);
  for (const name of managing) await relay.refuse('missing_entitlement', name, { token });
  const wish = { name: 'more', entitlements: ['account:manage'] };
  await relay.refuse('invalid_request', 'createApiKey', { token: session, body: wish });
});

test('only public endpoints answer without a credential', async () => {
  const served = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
    const { access, path } = ENDPOINTS[name];
    return access !== 'anyone' && !path.startsWith('/groups');
  });
  for (const name of served) await relay.refuse('unauthorized', name);
});

test('a revoked key, an expired key and a locked key are refused alike', async () => {
  const revoked = await withApiKey();
  await relay.call('revokeApiKey', { token: revoked.token, params: { id: revoked.apiKeyId } });
  await relay.call('revokeApiKey', { token: revoked.token, params: { id: revoked.apiKeyId } });
  const soon = new Date(relay.now() + 60_000).toISOString();
  const expiring = await withApiKey({ expiresAt: soon });
  await relay.call('getMe', { token: expiring.apiKey });
  const locked = await withApiKey();
  await relay.call('putDeveloperAccess', { token: locked.token, body: { enabled: false } });
  relay.ahead = 60_000;
  for (const { apiKey } of [revoked, expiring, locked]) {
    await relay.refuse('unauthorized', 'getMe', { token: apiKey });
  }
  relay.ahead = 0;
  const { body: list } = await relay.call('listApiKeys', { token: revoked.token });
  expect(list.apiKeys[0]?.revokedAt).not.toBeNull();
  await relay.call('putDeveloperAccess', { token: locked.token, body: { enabled: true } });
  await relay.call('getMe', { token: locked.apiKey });
});

test('an API key of another account cannot be revoked or detected', async () => {
  const [ann, ben] = [await withApiKey(), await withApiKey()];
  await relay.refuse('not_found', 'revokeApiKey', { token: ben.token, params: { id: ann.apiKeyId } });
  await relay.call('getMe', { token: ann.apiKey });
});

test('the last use of an API key is recorded', async () => {
  const person = await withApiKey();
  await relay.call('getMe', { token: person.apiKey });
  await expect
    .poll(async () => (await relay.call('listApiKeys', { token: person.token })).body.apiKeys[0]?.lastUsedAt)
    .not.toBeNull();
});

test('an expiry in the past is refused', async () => {
  const { token } = await withApiKey();
  const body = { name: 'late', expiresAt: '2020-01-01T00:00:00.000Z' };
  await relay.refuse('invalid_request', 'createApiKey', { token, body });
});
