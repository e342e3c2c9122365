import { afterAll, beforeAll, expect, test } from 'vitest';
import { membersHash } from '../../../src/protocol/members-hash.ts';
import { apiKeyOf, newGroup, newPerson, Person } from '../../support/person.ts';
import { expectProblem, TestRelay } from '../../support/relay.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('a group is made, looked at by its creator, and found in the directory', async () => {
  const ann = await newPerson(relay);
  const body = { name: 'Bird watchers', description: 'Every Sunday' };
  const { body: group } = await relay.call('createGroup', { token: ann.token, body });
  expect(group).toMatchObject({
    ...body,
    verified: false,
    memberCount: 1,
    hasPassword: false,
    creator: ann.address,
    members: [ann.address],
    memberDeviceKeys: { [ann.address]: [ann.device.sealKeyText] },
    membersHash: membersHash([ann.address]),
    botTokens: [],
  });
  expect(group.memberDevices[ann.address]?.deviceList).toEqual(ann.list);
  const params = { id: group.id };
  expect((await relay.call('getGroup', { token: ann.token, params })).body).toEqual(group);

  const ben = await newPerson(relay);
  const { body: found } = await relay.call('searchGroups', { token: ben.token, query: { q: 'WATCH' } });
  const entry = {
    id: group.id,
    name: body.name,
    verified: false,
    memberCount: 1,
    hasPassword: false,
    join: 'open',
    creator: ann.address,
  };
  expect(found.groups).toEqual([entry]);
});

test('a name that could deceive, an empty one and unknown fields are refused', async () => {
  const { token } = await newPerson(relay);
  for (const name of ['', ' x', 'a\u202eb', 'a\nb', 'x'.repeat(81), 5, null]) {
    await relay.refuse('invalid_request', 'createGroup', { token, body: { name } });
  }
  await relay.refuse('invalid_request', 'createGroup', { token, body: {} });
  await relay.refuse('invalid_request', 'createGroup', { token, body: { name: 'x', members: [] } });
});

test('the directory is read page by page, each group once, in the order of names', async () => {
  const ann = await newPerson(relay);
  const names = Array.from({ length: 25 }, (_, index) => `Zz page ${String(index).padStart(2, '0')} “ü”`);
  for (const name of [...names].reverse()) await newGroup(ann, { name });
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

test('a search for marks that mean something to a database finds them, and nothing else happens', async () => {
  const ann = await newPerson(relay);
  const name = 'A "quoted" NAME* (OR) -x ^y:z 100%_';
  const { id } = await newGroup(ann, { name });
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
  const group = await newGroup(ann, { name: 'Mine' });
  await newGroup(ben, { name: 'Not mine' });
  const apiKey = await apiKeyOf(ann);
  for (const token of [ann.token, apiKey]) {
    const { body } = await relay.call('searchGroups', { token, query: { mine: true } });
    expect(body.groups.map(({ id }) => id)).toEqual([group.id]);
  }
  const none = await relay.call('searchGroups', { token: apiKey, query: { mine: true, q: 'nothing' } });
  expect(none.body.groups).toEqual([]);
  const token = await group.mint();
  await relay.refuse('group_token_not_allowed', 'searchGroups', { token, query: { mine: true } });
  expect((await relay.fetch('/api/v1/groups?mine=1', { token })).status).toBe(403);
  await relay.call('searchGroups', { token, query: { q: 'Mine' } });
});

test('a group without a password is joined by anybody, again without harm; members see it, others do not', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann);
  const { params } = group;
  const { body: joined } = await relay.call('joinGroup', { token: ben.token, params, body: {} });
  expect(joined.members).toEqual([ann.address, ben.address].sort());
  expect(joined.membersHash).toBe(membersHash([ann.address, ben.address]));
  expect(joined).not.toHaveProperty('botTokens');
  const again = await relay.call('joinGroup', { token: ben.token, params, body: {} });
  expect(again.body.memberCount).toBe(2);

  await relay.refuse('not_a_member', 'getGroup', { token: eve.token, params });
  await relay.refuse('not_a_member', 'getGroup', { token: await apiKeyOf(eve), params });
  await relay.refuse('not_found', 'getGroup', { token: eve.token, params: { id: 'nothing' } });
  const key = await apiKeyOf(ben);
  expect((await relay.call('getGroup', { token: key, params })).body.memberCount).toBe(2);
});

test('what only the creator may do is refused to members and strangers', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann, {}, [ben]);
  const { params } = group;
  const tokenId = (await relay.call('createToken', { token: ann.token, params, body: { name: 'a' } })).body
    .id;
  for (const { token } of [ben, eve]) {
    await relay.refuse('forbidden', 'changeGroup', { token, params, body: { name: 'Taken over' } });
    await relay.refuse('forbidden', 'createToken', { token, params, body: { name: 'x' } });
    await relay.refuse('forbidden', 'deleteToken', { token, params: { ...params, tokenId } });
    await relay.refuse('forbidden', 'removeMember', { token, params: { ...params, address: ann.address } });
  }
  const gone = { id: 'nothing' };
  await relay.refuse('not_found', 'changeGroup', { token: ann.token, params: gone, body: {} });
  await relay.refuse('not_found', 'createToken', { token: ann.token, params: gone, body: { name: 'x' } });
  await relay.refuse('not_found', 'deleteToken', { token: ann.token, params: { ...params, tokenId: 'no' } });
});

test('the creator changes what is named and nothing else', async () => {
  const ann = await newPerson(relay);
  const { params } = await newGroup(ann, { name: 'Before', description: 'Kept', password: 'open sesame' });
  const change = async (body: object) =>
    (await relay.call('changeGroup', { token: ann.token, params, body })).body;
  expect(await change({ name: 'After' })).toMatchObject({
    name: 'After',
    description: 'Kept',
    hasPassword: true,
  });
  expect(await change({ password: null })).toMatchObject({ name: 'After', hasPassword: false });
  expect(await change({ description: '' })).toMatchObject({ description: '', name: 'After' });
  const { body } = await relay.call('searchGroups', { token: ann.token, query: { q: 'Before' } });
  expect(body.groups.filter(({ id }) => id === params.id)).toEqual([]);
});

test('a password lets in who knows it; a missing group answers like a wrong password', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { params } = await newGroup(ann, { password: 'café crème' });
  const wrong = await relay.refuse('wrong_password', 'joinGroup', {
    token: ben.token,
    params,
    body: { password: 'tea' },
  });
  const missing = await relay.refuse('wrong_password', 'joinGroup', {
    token: ben.token,
    params: { id: 'nothing' },
    body: { password: 'tea' },
  });
  const { requestId: _, ...same } = missing.body;
  expect(wrong.body).toMatchObject(same);
  await relay.refuse('wrong_password', 'joinGroup', { token: ben.token, params, body: {} });
  await expect
    .poll(async () => {
      const body = { password: 'cafe\u0301 crème' }; // the same letters, typed on another system
      const path = `/api/v1/groups/${params.id}/members`;
      return (await relay.fetch(path, { method: 'POST', token: ben.token, body })).status;
    })
    .toBe(200);
});

test('guesses are slowed down and say when to come back', async () => {
  const [ann, eve] = [await newPerson(relay), await newPerson(relay)];
  const { params } = await newGroup(ann, { password: 'right' });
  const guess = (password: string) =>
    relay.fetch(`/api/v1/groups/${params.id}/members`, {
      method: 'POST',
      token: eve.token,
      body: { password },
    });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => guess(`wrong ${index}`)));
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(1);
  const slowed = answers.filter(({ status }) => status === 429);
  expect(slowed).toHaveLength(9);
  expect(Number(slowed[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await guess('right')).status, 'the right one has to wait as well').toBe(429);
});

test('a member leaves; the creator removes one; nobody else may', async () => {
  const [ann, ben, cat] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann, {}, [ben, cat]);
  const without = (who: Person, by: Person) =>
    ({ token: by.token, params: { ...group.params, address: who.address } }) as const;
  await relay.refuse('forbidden', 'removeMember', without(cat, ben));
  await relay.call('removeMember', without(ben, ben));
  await relay.refuse('not_a_member', 'getGroup', { token: ben.token, params: group.params });
  await relay.call('removeMember', without(cat, ann));
  await relay.refuse('not_found', 'removeMember', without(cat, ann));
  const { body } = await relay.call('getGroup', { token: ann.token, params: group.params });
  expect(body.members).toEqual([ann.address]);
  expect(body.memberCount).toBe(1);
});

test('when the creator leaves, the tokens end and nobody rules; when the last one leaves, the group is gone', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann, { name: 'Ends here' }, [ben]);
  const token = await group.mint();
  await relay.call('removeMember', { token: ann.token, params: { ...group.params, address: ann.address } });
  await relay.refuse('unauthorized', 'getGroup', { token, params: group.params });
  await relay.refuse('forbidden', 'changeGroup', { token: ann.token, params: group.params, body: {} });
  await relay.refuse('forbidden', 'createToken', {
    token: ann.token,
    params: group.params,
    body: { name: 'x' },
  });
  await relay.call('removeMember', { token: ben.token, params: { ...group.params, address: ben.address } });
  await relay.refuse('not_found', 'getGroup', { token: ben.token, params: group.params });
  const { body } = await relay.call('searchGroups', { token: ben.token, query: { q: 'Ends here' } });
  expect(body.groups).toEqual([]);
});

test('a member without devices has no keys and no statements', async () => {
  const [ann, ben] = [await newPerson(relay), await new Person(relay).login()];
  const group = await newGroup(ann, {}, [ben]);
  const { body } = await relay.call('getGroup', { token: ann.token, params: group.params });
  expect(body.memberDeviceKeys[ben.address]).toEqual([]);
  expect(body.memberDevices).not.toHaveProperty(ben.address);
});
