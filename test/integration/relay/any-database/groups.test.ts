import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdminCommand } from '../../../../src/relay/admin/client.ts';
import { apiKeyOf, newPerson, TestDevice } from '../../../support/person.ts';
import { expectProblem, TestRelay } from '../../../support/relay.ts';
import { beginning, TestRoster } from '../../../support/relay-rosters.ts';

const relay = new TestRelay({ admin: true });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('a group in the directory has its owner and its join mode', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, { name: 'Bird watchers' });
  const { body: found } = await relay.call('searchGroups', { token: ben.token, query: { q: 'WATCH' } });
  const entry = {
    id: group.id,
    name: 'Bird watchers',
    verified: false,
    memberCount: 1,
    hasPassword: false,
    join: 'open',
    creator: ann.address,
  };
  expect(found.groups).toEqual([entry]);
});

test('unknown fields, no entries and too many are refused', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const { body } = beginning(ann);
  const entries = [...body.entries, ...body.entries];
  for (const wrong of [{}, { name: 'x' }, { entries: [] }, { entries }, { ...body, members: [] }]) {
    await relay.refuse('invalid_request', 'createGroup', { token, body: wrong });
  }
});

test('the directory is read page by page, each group once, in the order of names', async () => {
  const ann = await newPerson(relay);
  const names = Array.from({ length: 25 }, (_, index) => `Zz page ${String(index).padStart(2, '0')} “ü”`);
  for (const name of [...names].reverse()) await TestRoster.begin(ann, { name });
  for (const q of ['zz', 'page ', '“ü”', '']) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { q, limit: 7, ...(cursor !== undefined && { cursor }) };
      const { body } = await relay.call('searchGroups', { token: ann.token, query });
      seen.push(...body.groups.map(({ name }) => name).filter((name) => names.includes(name)));
      cursor = body.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect([...seen].sort()).toEqual(names);
    if (q === 'zz' || q === '') expect(seen).toEqual(names);
  }
});

test.each([
  ['Órbita 7', ['ór', 'OR', 'or', 'BITA', 'Ó']],
  ['Москва 7', ['мо', 'МО', 'мОсКвА', 'СКВ']],
  ['Ωδείον 7', ['ωδ', 'ΩΔ', 'ωδειον', 'ΕΙΟ']],
  ['Straße 7', ['ST', 'strasse', 'STRAẞE', 'rasse']],
])('a search of any length finds %s without letter case and accents', async (name, searches) => {
  const ann = await newPerson(relay);
  const { id } = await TestRoster.begin(ann, { name });
  for (const query of [{}, { mine: true }]) {
    for (const q of searches) {
      const { body } = await relay.call('searchGroups', {
        token: ann.token,
        query: { ...query, q, limit: 50 },
      });
      expect(
        body.groups.map((group) => group.id),
        q,
      ).toContain(id);
    }
    const none = await relay.call('searchGroups', { token: ann.token, query: { ...query, q: 'ж7' } });
    expect(none.body.groups).toEqual([]);
  }
});

test('a search for wild cards of a database finds them literally', async () => {
  const ann = await newPerson(relay);
  const name = 'A "quoted" NAME* (OR) -x ^y:z 100%_';
  const { id } = await TestRoster.begin(ann, { name });
  for (const q of ['"quoted"', 'NAME*', '(OR)', '-x ^', 'y:z', '100%_', '%_', 'a "', "'; --", '𐀀𐀀']) {
    const { body } = await relay.call('searchGroups', { token: ann.token, query: { q, limit: 50 } });
    const isIn =
      name.toLowerCase().includes(q.toLowerCase()) && ([...q].length > 2 || name.toLowerCase().startsWith(q));
    expect(
      body.groups.some((group) => group.id === id),
      q,
    ).toBe(isIn);
  }
  for (const q of ['\u0000ab', 'a\nb']) {
    const response = await relay.fetch(`/api/v1/groups?q=${encodeURIComponent(q)}`, { token: ann.token });
    await expectProblem(response, 'invalid_request');
  }
});

test('mine=1 lists the groups of an API key’s owner, and is refused to a group token', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, { name: 'Mine' });
  await TestRoster.begin(ben, { name: 'Not mine' });
  const apiKey = await apiKeyOf(ann);
  for (const token of [ann.token, apiKey]) {
    const { body } = await relay.call('searchGroups', { token, query: { mine: true } });
    expect(body.groups.map(({ id }) => id)).toEqual([group.id]);
  }
  const none = await relay.call('searchGroups', { token: apiKey, query: { mine: true, q: 'nothing' } });
  expect(none.body.groups).toEqual([]);
  const token = await group.createToken();
  await relay.refuse('group_token_not_allowed', 'searchGroups', { token, query: { mine: true } });
  expect((await relay.fetch('/api/v1/groups?mine=1', { token })).status).toBe(403);
  await relay.call('searchGroups', { token, query: { q: 'Mine' } });
});

test('members see a group, others do not', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const { params } = group;
  const { body: seen } = await relay.call('getGroup', { token: ben.token, params });
  expect(seen.members).toEqual([ann.address, ben.address].sort());
  expect(seen.memberDevices[ann.address]?.deviceList).toEqual(ann.list);
  expect(seen).not.toHaveProperty('botTokens');

  await relay.refuse('not_a_member', 'getGroup', { token: eve.token, params });
  await relay.refuse('not_a_member', 'getGroup', { token: await apiKeyOf(eve), params });
  await relay.refuse('not_found', 'getGroup', { token: eve.token, params: { id: 'nothing' } });
  const key = await apiKeyOf(ben);
  expect((await relay.call('getGroup', { token: key, params })).body.memberCount).toBe(2);
});

test('actions of the creator are refused to members and strangers', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const { params } = await TestRoster.begin(ann, {}, [ben]);
  const tokenId = (await relay.call('createToken', { token: ann.token, params, body: { name: 'a' } })).body
    .id;
  for (const { token } of [ben, eve]) {
    await relay.refuse('forbidden', 'putListing', { token, params, body: { listed: false } });
    await relay.refuse('forbidden', 'createToken', { token, params, body: { name: 'x' } });
    await relay.refuse('forbidden', 'revokeToken', { token, params: { ...params, tokenId } });
  }
  const gone = { id: 'nothing' };
  await relay.refuse('not_found', 'putListing', { token: ann.token, params: gone, body: { listed: true } });
  await relay.refuse('not_found', 'createToken', { token: ann.token, params: gone, body: { name: 'x' } });
  await relay.refuse('not_found', 'revokeToken', { token: ann.token, params: { ...params, tokenId: 'no' } });
});

test('renaming removes the verified mark, other changes do not', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const group = await TestRoster.begin(ann, { name: 'Before', description: 'Kept' });
  const { params } = group;
  const see = async () => (await relay.call('getGroup', { token, params })).body;
  await runAdminCommand(relay.folder.path, 'verifyGroup', { id: group.id, verified: true });
  await group.change(ann, { name: 'Before', description: 'Other' });
  expect(await see()).toMatchObject({ name: 'Before', description: 'Other', verified: true });
  await group.change(ann, { name: 'After' });
  expect(await see()).toMatchObject({ name: 'After', description: 'Other', verified: false });
  const { body } = await relay.call('searchGroups', { token, query: { q: 'Before' } });
  expect(body.groups.filter(({ id }) => id === params.id)).toEqual([]);
});

test('a member whose device has no seal key yet has no key in the view', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const deviceList = ben.nextList([new TestDevice()]);
  await relay.call('putDevices', { token: ben.token, body: { deviceList, sealKeys: [] } });
  const { body } = await relay.call('getGroup', { token: ann.token, params: group.params });
  expect(body.memberDeviceKeys[ben.address]).toEqual([]);
  expect(body.memberDevices[ben.address]).toEqual({ deviceList, sealKeys: [] });
});
