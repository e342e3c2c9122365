import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEPT_ENDED_CREDENTIALS } from '../../../src/protocol/figures.ts';
import { newPerson, Person, TestDevice } from '../../support/person.ts';
import { expectProblem } from '../../support/relay.ts';
import { beginning, TestRoster } from '../../support/relay-rosters.ts';
import { QUOTAS, relay } from './quotas.ts';

beforeAll(() => relay.start());

afterAll(() => relay[Symbol.asyncDispose]());

async function developer(): Promise<Person> {
  const person = await newPerson(relay);
  await relay.call('putDeveloperAccess', { token: person.token, body: { enabled: true } });
  return person;
}

async function newKey({ token }: Person, body: object = {}): Promise<string> {
  return (await relay.call('createApiKey', { token, body: { name: 'key', ...body } })).body.id;
}

/** Credentials of an account in the database. */
async function credentialsOf(person: Person, type: string): Promise<number> {
  const rows = await relay.rows(
    'SELECT 1 FROM credential JOIN account ON account.id = account_id WHERE address = ? AND type = ?',
    Buffer.from(person.address.slice(2), 'hex'),
    type,
  );
  return rows.length;
}

test('the quotas are reported by /me', async () => {
  const { token } = await newPerson(relay);
  expect((await relay.call('getMe', { token })).body.quotas).toEqual(QUOTAS);
});

test('an account with endless API keys is refused with the name of the quota', async () => {
  const ann = await developer();
  const { token } = ann;
  const ids = [await newKey(ann), await newKey(ann), await newKey(ann)];
  const refused = { token, body: { name: 'one more' } };
  const { body } = await relay.refuse('quota_reached', 'createApiKey', refused);
  expect(body.detail).toBe('You have 3 API keys, as many as this relay allows. Revoke one first.');
  await newKey(await developer());
  await relay.call('revokeApiKey', { token, params: { id: ids[0] ?? '' } });
  await newKey(ann);
  await relay.refuse('quota_reached', 'createApiKey', refused);
});

test('an expired API key frees its place', async () => {
  const ann = await developer();
  const expiresAt = new Date(relay.now() + 5_000).toISOString();
  for (let count = 0; count < 3; count++) await newKey(ann, { expiresAt });
  await relay.refuse('quota_reached', 'createApiKey', { token: ann.token, body: { name: 'x' } });
  relay.ahead += 6_000;
  await newKey(ann);
});

test('keys created and revoked endlessly do not accumulate; the newest are still listed', async () => {
  const ann = await developer();
  const { token } = ann;
  const kept = await newKey(ann);
  let last = '';
  for (let count = 0; count < KEPT_ENDED_CREDENTIALS + 10; count++) {
    last = await newKey(ann);
    await relay.call('revokeApiKey', { token, params: { id: last } });
  }
  expect(await credentialsOf(ann, 'api_key')).toBe(KEPT_ENDED_CREDENTIALS + 1);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 7, ...(cursor !== undefined && { cursor }) };
    const { body } = await relay.call('listApiKeys', { token, query });
    expect(body.apiKeys.length).toBeLessThanOrEqual(7);
    seen.push(...body.apiKeys.map(({ id }) => id));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(KEPT_ENDED_CREDENTIALS + 1);
  expect([seen[0], seen.at(-1)]).toEqual([last, kept]);
  await relay.call('revokeApiKey', { token, params: { id: last } });
});

test('the list of API keys shows only own ones, with any cursor', async () => {
  const [ann, eve] = [await developer(), await developer()];
  await newKey(ann);
  const cursor = Buffer.from('999999').toString('base64url');
  const { body } = await relay.call('listApiKeys', { token: eve.token, query: { cursor } });
  expect(body).toEqual({ apiKeys: [], nextCursor: null });
});

test('an account that creates or joins endless groups is refused; leaving one makes room', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { token } = ann;
  const own = [await TestRoster.begin(ann), await TestRoster.begin(ann)];
  await TestRoster.begin(ben, {}, [ann]);
  const { body } = await relay.refuse('quota_reached', 'createGroup', { token, body: beginning(ann).body });
  expect(body.detail).toBe('You are in 3 groups, as many as this relay allows. Leave one first.');
  const another = await TestRoster.begin(ben);
  await another.admit(ann);
  await expectProblem(await another.post(token, another.make(ann, { kind: 'join' })), 'quota_reached');
  await own[0]?.leave(ann);
  await another.join(ann);
});

test('a full group refuses a member, also with a ticket, which stays valid', async () => {
  const [ann, ben, cat] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const ticket = group.ticket(ann, cat);
  await group.admit(cat, { ticket });
  const early = group.make(cat, { kind: 'join', ticket });
  await expectProblem(await group.post(cat.token, early), 'quota_reached');
  await group.remove(ann, ben);
  await group.join(cat, ticket);
});

test('an account with endless group tokens is refused, over all its groups; revoking makes room', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const groups = [await TestRoster.begin(ann), await TestRoster.begin(ann)];
  const created = [];
  for (const group of [groups[0], groups[0], groups[1]]) {
    const params = { id: group?.id ?? '' };
    created.push({
      params,
      ...(await relay.call('createToken', { token, params, body: { name: 'bot' } })).body,
    });
  }
  const call = { token, params: groups[1]?.params ?? { id: '' }, body: { name: 'bot' } };
  await relay.refuse('quota_reached', 'createToken', call);
  const [first] = created;
  const params = { id: first?.params.id ?? '', tokenId: first?.id ?? '' };
  await relay.call('revokeToken', { token, params });
  await relay.call('createToken', call);
});

test('group tokens created and revoked endlessly do not accumulate', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const { params } = await TestRoster.begin(ann);
  for (let count = 0; count < KEPT_ENDED_CREDENTIALS + 5; count++) {
    const { body } = await relay.call('createToken', { token, params, body: { name: 'bot' } });
    await relay.call('revokeToken', { token, params: { ...params, tokenId: body.id } });
  }
  expect(await credentialsOf(ann, 'group_token')).toBe(KEPT_ENDED_CREDENTIALS);
  const { body: group } = await relay.call('getGroup', { token, params });
  expect(group.botTokens).toHaveLength(KEPT_ENDED_CREDENTIALS);
});

test('a device list above the quota is refused', async () => {
  const ann = await new Person(relay).login();
  const body = ann.devicesBody([ann.device, new TestDevice(), new TestDevice()]);
  await relay.refuse('quota_reached', 'putDevices', { token: ann.token, body });
  await ann.publishDevices([ann.device, new TestDevice()]);
});

test('a device that rotates its seal key endlessly leaves only useful retired keys', async () => {
  const ann = await newPerson(relay);
  const database = new Database(join(relay.folder.path, 'relay.db'));
  const address = Buffer.from(ann.address.slice(2), 'hex');
  const account = database.prepare('SELECT id FROM account WHERE address = ?').pluck().get(address);
  const insert = database.prepare(
    'INSERT INTO retired_key (seal_key, account_id, retired_at) VALUES (randomblob(32), ?, ?)',
  );
  database.transaction(() => {
    for (let count = 0; count < 1_500; count++) insert.run(account, count);
  })();
  const before = ann.device.sealKeyText;
  ann.device.rotate();
  const body = { sealKey: ann.device.statement(ann.address, relay.now()) };
  await relay.call('putSealKey', { token: ann.token, params: { deviceId: ann.device.id }, body });
  const left = database
    .prepare<[unknown], { seal_key: Buffer }>('SELECT * FROM retired_key WHERE account_id = ?')
    .all(account);
  database.close();
  expect(left).toHaveLength(1_000);
  expect(left.some((row) => row.seal_key.toString('base64url') === before)).toBe(true);
});
