/**
 * Muting, the directory of people, and addresses that the person has compared.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filterConversations } from '../../../src/renderer/chat-list/filter.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  type TestEngine,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ann: TestEngine;
let ben: TestEngine;
beforeAll(async () => {
  await relay.start();
  [ann, ben] = [await new LocalEngine(relay.url).start(), await new LocalEngine(relay.url).start()];
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
});
afterAll(async () => {
  for (const engine of [ann, ben]) await engine[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

test('a reserved handle is reported while it is typed, and when it is saved', async () => {
  expect(await callEngine(ann, 'handle.check', { handle: '@support' })).toEqual({ status: 'reserved' });
  expect(await callEngine(ann, 'handle.check', { handle: 'supporter' })).toEqual({ status: 'free' });
  await expect(
    callEngine(ann, 'profile.save', { handle: 'support', displayName: 'Support' }),
  ).rejects.toMatchObject({ data: { code: 'handle_reserved', parameters: { handle: 'support' } } });
});

test('a found new handle is shown in groups, too', async () => {
  await openChat(ben, 'ann');
  const changed: string[] = [];
  const stop = ben.handle.onEvent((name, payload) => {
    if (name === 'conversations.changed') changed.push(...(payload as { ids: string[] }).ids);
  });
  const group = await callEngine(ben, 'groups.create', {
    name: 'Pond',
    description: '',
    join: { mode: 'open' },
  });
  await eventually(
    async () => changed,
    (ids) => ids.includes(group.id),
  );
  changed.length = 0;
  await callEngine(ann, 'profile.save', { handle: 'annie', displayName: '' });
  expect(await callEngine(ben, 'people.resolve', { query: '@annie' })).toMatchObject({ handle: 'annie' });
  await eventually(
    async () => changed,
    (ids) => ids.includes(group.id),
  );
  await callEngine(ann, 'profile.save', { handle: 'ann', displayName: 'ann' });
  await callEngine(ben, 'people.resolve', { query: '@ann' });
  stop();
});

test('a muted conversation receives messages without notifications until it is unmuted', async () => {
  const withAnn = await openChat(ben, 'ann');
  const withBen = await openChat(ann, 'ben');
  const muted = await callEngine(ben, 'conversations.setMuted', { id: withAnn.id, until: 'always' });
  expect(muted).toMatchObject({ mutedUntil: 'always' });
  const notified: string[] = [];
  const stop = ben.handle.onEvent((name, payload) => {
    if (name === 'message.arrived') notified.push((payload as { summary: { text: string } }).summary.text);
  });
  await callEngine(ann, 'messages.send', { conversationId: withBen.id, text: 'quietly' });
  await eventually(
    () => allMessages(ben),
    (all) => all.some(({ text }) => text === 'quietly'),
  );
  expect(await callEngine(ben, 'conversations.get', { id: withAnn.id })).toMatchObject({ unread: 1 });
  await callEngine(ben, 'conversations.setMuted', { id: withAnn.id, until: null });
  await callEngine(ann, 'messages.send', { conversationId: withBen.id, text: 'aloud' });
  await eventually(
    async () => notified,
    (all) => all.length > 0,
  );
  expect(notified).toEqual(['aloud']);
  stop();
});

test('the verified mark of an address survives a restart and can be removed', async () => {
  const { id } = await openChat(ann, 'ben');
  expect(await callEngine(ann, 'conversations.get', { id })).toMatchObject({ verifiedAt: null });
  const { address } = await callEngine(ann, 'people.resolve', { query: '@ben' });
  const verified = { address, verified: true };
  expect(await callEngine(ann, 'people.setVerified', verified)).toMatchObject({
    verifiedAt: expect.any(Number),
  });
  await ann.close();
  await ann.start();
  expect(await callEngine(ann, 'conversations.get', { id })).toMatchObject({
    verifiedAt: expect.any(Number),
  });
  await callEngine(ann, 'people.setVerified', { ...verified, verified: false });
  expect(await callEngine(ann, 'conversations.get', { id })).toMatchObject({ verifiedAt: null });
});

test('people are found by handle and name without the relay, except blocked ones', async () => {
  await using engine = await new LocalEngine(relay.url).start();
  await setUp(engine, 'searcher');
  const { id } = await openChat(engine, 'ann');
  await openChat(engine, 'ben');
  const known = async (query: string) =>
    (await callEngine(engine, 'people.known', { query })).map(({ handle }) => handle);
  const { address, displayName } = await callEngine(engine, 'people.resolve', { query: '@ann' });
  expect(displayName).toBeTruthy();
  expect(await known(String(displayName).toUpperCase())).toEqual(['ann']);
  expect(await known('@be')).toEqual(['ben']);
  await callEngine(engine, 'people.setNickname', { address, nickname: 'Łódź Straße' });
  expect(await known('lodz strasse')).toEqual(['ann']);
  expect(await known('searcher'), 'oneself').toEqual([]);
  expect(await known('%'), 'no pattern').toEqual([]);
  expect(await known('  ')).toEqual([]);
  await callEngine(engine, 'conversations.block', { id });
  expect(await known('@ann')).toEqual([]);
});

test('a new group is at the top of the list at once', async () => {
  const withBen = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId: withBen.id, text: 'before the group' });
  const group = { name: 'Newest', description: '', join: { mode: 'invite' } } as const;
  const made = await callEngine(ann, 'groups.create', group);
  const shown = filterConversations(
    await callEngine(ann, 'conversations.list', {}),
    'accepted',
    '',
    () => [],
  );
  expect(shown.map(({ id }) => id).slice(0, 2)).toEqual([made.id, withBen.id]);
});

test('the directory is read page by page, without oneself; an unknown name finds nothing', async () => {
  for (let number = 10; number < 45; number++) {
    const { token } = await newPerson(relay);
    await relay.call('putHandle', { token, body: { handle: `walker_${number}` } });
  }
  const search = (query: string, cursor: string | null = null, verifiedOnly = false) =>
    callEngine(ann, 'people.search', { query, verifiedOnly, cursor });
  const first = await search('@Walker');
  expect(first.people).toHaveLength(30);
  const second = await search('@Walker', first.nextCursor);
  expect(second).toMatchObject({ nextCursor: null, people: { length: 5 } });
  const all = await search('');
  expect(all.people.map(({ handle }) => handle)).not.toContain('ann');
  expect(all.people.map(({ handle }) => handle)).toContain('ben');
  expect(await search('walker', null, true)).toEqual({ people: [], nextCursor: null });
  expect(await search('no/handle')).toEqual({ people: [], nextCursor: null });
  const { token } = await newPerson(relay);
  await relay.call('putHandle', { token, body: { handle: 'by_name' } });
  await relay.call('putProfile', { token, body: { displayName: 'Zoë van Dyk' } });
  const found = ['zoe', ' Van  Dyk'].map(async (text) => (await search(text)).people);
  for (const people of await Promise.all(found)) expect(people).toMatchObject([{ handle: 'by_name' }]);
  expect((await search('@van')).people).toEqual([]);
});
