import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, Person } from '../../../support/person.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay();
let token = '';
beforeAll(async () => {
  await relay.start();
  ({ token } = await new Person(relay).login());
});
afterAll(() => relay[Symbol.asyncDispose]());

async function named(handle: string, isPublic = true): Promise<Person> {
  const person = await new Person(relay).login();
  await relay.call('putHandle', { token: person.token, body: { handle, public: isPublic } });
  return person;
}

async function search(q: string, more: { limit?: number; cursor?: string; verified?: boolean } = {}) {
  const { body } = await relay.call('searchHandles', { token, query: { q, ...more } });
  return { handles: body.handles.map(({ handle }) => handle), nextCursor: body.nextCursor };
}

test('a public handle resolves to its address, with or without the @', async () => {
  const kim = await named('kim_lee');
  await relay.call('putProfile', { token: kim.token, body: { displayName: 'Kim Lee' } });
  for (const handle of ['kim_lee', '@kim_lee']) {
    const { body } = await relay.call('getHandle', { token, params: { handle } });
    expect(body).toMatchObject({
      handle: 'kim_lee',
      address: kim.address,
      displayName: 'Kim Lee',
      verified: false,
    });
  }
});

test('an unknown or private handle is not found', async () => {
  await named('hidden_one', false);
  for (const handle of ['nobody_has_it', 'hidden_one']) {
    await relay.refuse('not_found', 'getHandle', { token, params: { handle } });
  }
  expect((await search('hidden')).handles).toEqual([]);
  await relay.refuse('invalid_request', 'getHandle', { token, params: { handle: 'No!' } });
});

test('a handle that became private is no longer found', async () => {
  const person = await named('was_public');
  expect((await search('was_public')).handles).toEqual(['was_public']);
  await relay.call('putHandle', { token: person.token, body: { handle: 'was_public', public: false } });
  expect((await search('was_public')).handles).toEqual([]);
  expect((await search('s_publ')).handles).toEqual([]);
});

test('prefixes are found first, then substrings, page by page, each once', async () => {
  const expected = ['robin', 'robin_a', 'robin_b', 'the_robin', 'a_robin_z'];
  for (const handle of ['the_robin', 'robin_b', 'robin', 'a_robin_z', 'robin_a', 'rob', 'sparrow'])
    await named(handle);
  expect((await search('robin')).handles).toEqual(expected);
  for (const limit of [1, 2, 3]) {
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await search('robin', { limit, ...(cursor && { cursor }) });
      expect(page.handles.length).toBeLessThanOrEqual(limit);
      found.push(...page.handles);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(expected);
  }
});

test('two characters find prefixes only; _ is literal and not a wild card', async () => {
  await named('ox_cart');
  await named('big_ox');
  expect((await search('ox')).handles).toEqual(['ox_cart']);
  expect((await search('x_c')).handles).toEqual(['ox_cart']);
  expect((await search('oxxcart')).handles).toEqual([]);
});

test('people are found by prefix of display name and handle; after an @ by handle only', async () => {
  for (const [handle, displayName] of [
    ['wren', 'Someone'],
    ['first_bird', 'Wren Øster'],
    ['second_bird', 'Zaunkönig (Wrén)'],
    ['third_bird', 'Awren'],
  ] as const) {
    const { token } = await named(handle);
    await relay.call('putProfile', { token, body: { displayName } });
  }
  expect((await search('Wren')).handles).toEqual(['wren', 'second_bird', 'first_bird']);
  expect((await search('@Wren')).handles).toEqual(['wren']);
  expect((await search('zaunkonig wr')).handles).toEqual(['second_bird']);
  expect((await search('wren øs')).handles).toEqual(['first_bird']);
  expect((await search('!')).handles).toEqual([]);
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await search('wren', { limit: 1, ...(cursor && { cursor }) });
    found.push(...page.handles);
    cursor = page.nextCursor;
  }
  expect(found).toEqual(['wren', 'second_bird', 'first_bird']);
});

test('a person cannot verify themselves', async () => {
  await named('someone_new');
  expect((await search('someone_new', { verified: true })).handles).toEqual([]);
  expect((await search('someone_new', { verified: false })).handles).toEqual(['someone_new']);
});

test('a malformed search is refused', async () => {
  for (const query of [
    `q=${'a'.repeat(81)}`,
    'q=%00',
    'q=a&limit=0',
    'q=a&limit=51',
    'q=a&limit=x',
    'q=a&cursor=!',
    'q=a&x=1',
    'q=a&q=b',
  ]) {
    const response = await relay.fetch(`/api/v1/handles?${query}`, { token });
    expect([query, response.status]).toEqual([query, 400]);
  }
});

test('an invented cursor finds a page or nothing, and breaks nothing', async () => {
  await newPerson(relay);
  for (const text of [
    'begin ~',
    'inside x',
    'inside 99',
    'zzz',
    '',
    'named x',
    'named 9',
    'named 1 \u0000',
  ]) {
    const cursor = Buffer.from(text || 'x').toString('base64url');
    const { body } = await relay.call('searchHandles', { token, query: { q: 'robin', cursor } });
    expect(body.handles.every(({ handle }) => handle.includes('robin'))).toBe(true);
  }
});

test('without a text all public handles are listed, page by page', async () => {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 3, ...(cursor !== undefined && { cursor }) };
    const { body } = await relay.call('searchHandles', { token, query });
    names.push(...body.handles.map(({ handle }) => handle));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(names.length).toBeGreaterThan(3);
  expect(names).toEqual([...new Set(names)].sort());
});
