import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeyOf, newPerson } from '../../../support/person.ts';
import { TestRelay } from '../../../support/relay.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('a token shows its secret once, and names its group', async () => {
  const ann = await newPerson(relay);
  const { params } = await TestRoster.begin(ann);
  const { body: created } = await relay.call('createToken', {
    token: ann.token,
    params,
    body: { name: 'build bot' },
  });
  expect(created.secret).toMatch(/^gtk_live_[A-Za-z0-9_-]{43}$/);
  expect(created.secret.startsWith(created.prefix)).toBe(true);
  const { body: me } = await relay.call('getMe', { token: created.secret });
  expect(me.address).toBe(ann.address);
  expect(me.credential).toEqual({
    type: 'group_token',
    id: created.id,
    name: 'build bot',
    prefix: created.prefix,
    entitlements: ['groups:read', 'groups:send', 'blobs'],
    expiresAt: null,
    groupId: params.id,
  });
});

test('the list of tokens is for the creator’s session and key, and for the group’s tokens, without secrets', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const secrets = [await group.createToken('first'), await group.createToken('second')];
  for (const token of [ann.token, await apiKeyOf(ann), ...secrets]) {
    const { body } = await relay.call('getGroup', { token, params: group.params });
    expect(body.botTokens?.map(({ name }) => name)).toEqual(['second', 'first']);
    for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret);
  }
  for (const token of [ben.token, await apiKeyOf(ben)]) {
    expect((await relay.call('getGroup', { token, params: group.params })).body).not.toHaveProperty(
      'botTokens',
    );
  }
  await expect
    .poll(async () => {
      const { body } = await relay.call('getGroup', { token: ann.token, params: group.params });
      return body.botTokens?.every(({ lastUsedAt }) => lastUsedAt !== null);
    })
    .toBe(true);
});

test('a token opens its own group only, and no account', async () => {
  const ann = await newPerson(relay);
  const [one, two] = [await TestRoster.begin(ann), await TestRoster.begin(ann)];
  const token = await one.createToken();
  await relay.call('getGroup', { token, params: one.params });
  await relay.refuse('forbidden', 'getGroup', { token, params: two.params });
  await relay.refuse('forbidden', 'sendGroupEnvelopes', {
    token,
    params: two.params,
    body: { envelopes: [] },
  });
  await relay.refuse('missing_entitlement', 'listApiKeys', { token });
  await relay.refuse('missing_entitlement', 'getKeys', { token, params: { address: ann.address } });
  await relay.refuse('missing_entitlement', 'createToken', {
    token,
    params: one.params,
    body: { name: 'x' },
  });
});

test('a revoked token is refused at once, with the answer for any wrong credential', async () => {
  const ann = await newPerson(relay);
  const group = await TestRoster.begin(ann);
  const { body: created } = await relay.call('createToken', {
    token: ann.token,
    params: group.params,
    body: { name: 'x' },
  });
  await relay.call('getGroup', { token: created.secret, params: group.params });
  const params = { ...group.params, tokenId: created.id };
  await relay.call('revokeToken', { token: ann.token, params });
  const revoked = await relay.refuse('unauthorized', 'getGroup', {
    token: created.secret,
    params: group.params,
  });
  const invented = `gtk_live_${'A'.repeat(43)}`;
  const unknown = await relay.refuse('unauthorized', 'getGroup', { token: invented, params: group.params });
  expect(revoked.body.detail).toBe(unknown.body.detail);
  await relay.call('revokeToken', { token: ann.token, params });
  const { body } = await relay.call('getGroup', { token: ann.token, params: group.params });
  expect(body.botTokens?.[0]?.revokedAt).not.toBeNull();
});

test('a token works while Developer API access is locked: it was created for the group', async () => {
  const ann = await newPerson(relay);
  const group = await TestRoster.begin(ann);
  const token = await group.createToken();
  await relay.call('putDeveloperAccess', { token: ann.token, body: { enabled: false } });
  const { body } = await relay.call('getGroup', { token, params: group.params });
  expect(body.id).toBe(group.id);
});

test('a post names its token as it was called then: also with two of one name, and after its end', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const { params } = group;
  const createToken = async (name: string) =>
    (await relay.call('createToken', { token: ann.token, params, body: { name } })).body;
  const post = async (token: string, text: string) => {
    const { asRequest: _, ...envelope } = ann.seal(ben, ben.device, text);
    await relay.call('sendGroupEnvelopes', { token, params, body: { envelopes: [envelope] } });
  };
  const tokens = [
    await createToken('deploys'),
    await createToken('deploys'),
    await createToken('déploiements 🚀'),
  ];
  for (const { secret, name } of tokens) await post(secret, name);
  await post(ann.token, 'by a session');
  await post(await apiKeyOf(ann), 'by an API key');
  const [first] = tokens;
  await relay.call('revokeToken', { token: ann.token, params: { ...params, tokenId: first?.id ?? '' } });
  const arrived = await ben.inbox();
  expect(arrived.map(({ bot }) => bot)).toEqual([
    ...tokens.map(({ id, name }) => ({ id, name })),
    undefined,
    undefined,
  ]);
  for (const envelope of arrived.slice(3)) expect(envelope).not.toHaveProperty('bot');
});
