/**
 * Invite links into groups: separate engines on a real relay.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Conversation, GroupConversation } from '../../../src/bridge/shapes/conversation.ts';
import { formatInvite, type GroupInvite, parseInvite } from '../../../src/protocol/invite.ts';
import { callEngine, eventually, setUp, type TestEngine } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 86_400;
const WEEK = 604_800;

const resources = new AsyncDisposableStack();
let relay: TestRelay;
let ann: TestEngine;
let ben: TestEngine;
let benAddress: string;
beforeAll(async () => {
  relay = resources.use(await new TestRelay({ limits: { rates: ROOMY_RATES } }).start());
  [ann, ben] = [await newEngine(), await newEngine()];
  await setUp(ann, 'ann');
  benAddress = (await setUp(ben, 'ben')).address;
});
afterAll(() => resources.disposeAsync());

/** Its clock follows a changed system time. */
class TimedEngine extends LocalEngine {
  protected override get surroundings() {
    return { now: () => Date.now(), random: Math.random };
  }

  /** Number of stored secrets of links. */
  seeds(): number | undefined {
    const rows = this.cache?.prepare<[], { count: number }>(
      "SELECT count(*) AS count FROM own_registers WHERE key LIKE 'link/%' AND value <> 'null'",
    );
    return rows?.get()?.count;
  }
}

async function newEngine(): Promise<TimedEngine> {
  return resources.use(await new TimedEngine(relay.url).start());
}

function asGroup(conversation: Conversation): GroupConversation {
  if (conversation.kind !== 'group') throw new Error('this is no group');
  return conversation;
}

/** A group of Ann's that only invited people can join. */
async function newGroup(name: string): Promise<GroupConversation> {
  return asGroup(await callEngine(ann, 'groups.create', { name, description: '', join: { mode: 'invite' } }));
}

async function newLink(conversationId: string): Promise<{ key: string; url: string }> {
  const { link } = await callEngine(ann, 'groups.createLink', { conversationId, expires: WEEK });
  if (link.url === null) throw new Error('the link has no secret');
  return { key: link.key, url: link.url };
}

const read = (engine: TestEngine, text: string) => callEngine(engine, 'invites.read', { text });
const accept = (engine: TestEngine, text: string) => callEngine(engine, 'invites.accept', { text });

function groupInvite(text: string): GroupInvite {
  const invite = parseInvite(text);
  if (invite.to !== 'group') throw new Error('this is no link into a group');
  return invite;
}

async function texts(engine: TestEngine, conversationId: string): Promise<string[]> {
  const { messages } = await callEngine(engine, 'messages.list', { conversationId, limit: 200 });
  return messages.flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
}

test('a person who was not invited joins with a link, reads and writes', async () => {
  const { id, group } = await newGroup('Bird watchers');
  const { groupId } = group;
  const { url } = await newLink(id);
  expect(url.startsWith(`${relay.url}/i#`)).toBe(true);
  await expect(callEngine(ben, 'groups.join', { groupId, password: null })).rejects.toMatchObject({
    code: 'group_invitation_over',
  });

  const place = { server: relay.url, isSameServer: true, invitation: null };
  const invite = { to: 'group', groupId, name: 'Bird watchers', ...place };
  expect(await read(ben, url)).toEqual({ ...invite, isMember: false });
  // Reading has joined nothing and stored nothing.
  expect(await callEngine(ben, 'conversations.list', {})).toEqual([]);

  const { app } = formatInvite(parseInvite(url));
  const { conversationId } = await accept(ben, ` ${app}\n`);
  expect(await callEngine(ben, 'conversations.get', { id: conversationId })).toMatchObject({
    kind: 'group',
    group: { groupId, name: 'Bird watchers', joined: true, memberCount: 2, isCreator: false },
  });
  await callEngine(ben, 'messages.send', { conversationId, text: 'from ben' });
  await eventually(
    () => texts(ann, id),
    (all) => all.includes('from ben'),
  );
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'from ann' });
  await eventually(
    () => texts(ben, conversationId),
    (all) => all.includes('from ann'),
  );

  // A member only opens the chat.
  expect(await read(ben, url)).toEqual({ ...invite, isMember: true });
  expect(await accept(ben, url)).toEqual({ conversationId });
  // Only the owner has the links.
  expect(await callEngine(ben, 'groups.links', { conversationId })).toEqual({ links: [] });
  await expect(callEngine(ben, 'groups.createLink', { conversationId, expires: DAY })).rejects.toMatchObject({
    code: 'roster_act_refused',
    parameters: { reason: 'not_allowed' },
  });
});

test('a canceled link, and the link of another group, admit no one', async () => {
  const [one, other] = [await newGroup('One'), await newGroup('Other')];
  const { key, url } = await newLink(one.id);
  const wrong = formatInvite({ ...groupInvite(url), groupId: other.group.groupId }).url;
  for (const call of [read, accept])
    await expect(call(ben, wrong)).rejects.toMatchObject({ code: 'invite_over' });

  await callEngine(ann, 'groups.cancelLink', { conversationId: one.id, key });
  expect(await callEngine(ann, 'groups.links', { conversationId: one.id })).toEqual({ links: [] });
  for (const call of [read, accept])
    await expect(call(ben, url)).rejects.toMatchObject({ code: 'invite_over' });
  // A repeated call changes nothing.
  await callEngine(ann, 'groups.cancelLink', { conversationId: one.id, key });
});

test('links that could not be created leave a limited number of secrets', async () => {
  const own = await newEngine();
  await setUp(own, 'own');
  const { id } = await callEngine(own, 'groups.create', {
    ...{ name: 'Retried', description: '', join: { mode: 'invite' } },
  });
  const create = () => callEngine(own, 'groups.createLink', { conversationId: id, expires: WEEK });
  const { link } = await create();
  await relay.stop();
  for (let count = 0; count < 12; count++)
    await expect(create()).rejects.toMatchObject({ code: 'relay_silent' });
  await relay.start();
  expect(own.seeds()).toBe(1 + 8);
  const { links } = await callEngine(own, 'groups.links', { conversationId: id });
  expect(links).toEqual([link]);
});

test('an expired link admits no one, and the next change drops it', async () => {
  const { id } = await newGroup('Short');
  const { link } = await callEngine(ann, 'groups.createLink', { conversationId: id, expires: DAY });
  vi.useFakeTimers({ toFake: ['Date'], now: link.expires });
  try {
    for (const call of [read, accept])
      await expect(call(ben, link.url ?? '')).rejects.toMatchObject({ code: 'invite_expired' });
    expect(await callEngine(ann, 'groups.links', { conversationId: id })).toEqual({ links: [] });
    await newLink(id);
    const { links } = await callEngine(ann, 'groups.links', { conversationId: id });
    expect(links).toMatchObject([{ expires: link.expires + WEEK * 1_000 }]);
  } finally {
    vi.useRealTimers();
  }
});

test('a removed member needs an invitation in addition to the link', async () => {
  const { id } = await newGroup('Closed');
  const { url } = await newLink(id);
  const { conversationId } = await accept(ben, url);
  await callEngine(ann, 'groups.removeMember', { conversationId: id, address: benAddress });
  await eventually(
    async () => asGroup(await callEngine(ben, 'conversations.get', { id: conversationId })),
    ({ group }) => !group.joined,
  );
  for (const call of [read, accept])
    await expect(call(ben, url)).rejects.toMatchObject({
      code: 'roster_act_refused',
      parameters: { reason: 'ticket_needed' },
    });
});

test('a group has at most eight links', async () => {
  const { id } = await newGroup('Many links');
  for (let count = 0; count < 8; count++) await newLink(id);
  await expect(newLink(id)).rejects.toMatchObject({ code: 'invite_links_full', parameters: { most: 8 } });
  const { links } = await callEngine(ann, 'groups.links', { conversationId: id });
  expect(links).toHaveLength(8);
  expect(new Set(links.map(({ url }) => url)).size).toBe(8);
});

test('a link of another server is read, but not followed', async () => {
  const { id } = await newGroup('Here');
  const { url } = await newLink(id);
  const elsewhere = formatInvite({ ...groupInvite(url), relay: 'https://relay.example' }).url;
  expect(await read(ben, elsewhere)).toMatchObject({
    name: null,
    server: 'https://relay.example',
    isSameServer: false,
    isMember: false,
  });
  await expect(accept(ben, elsewhere)).rejects.toMatchObject({
    code: 'invite_elsewhere',
    parameters: { server: 'relay.example' },
  });
});

test('members see the lines of new and canceled links, one for several in a row', async () => {
  const { id } = await newGroup('Link lines');
  const first = await newLink(id);
  const { conversationId } = await accept(ben, first.url);
  const linesOf = async (engine: TestEngine, chat: string) => {
    const { messages } = await callEngine(engine, 'messages.list', { conversationId: chat, limit: 200 });
    return messages.flatMap(({ event }) =>
      event?.type.startsWith('link') ? [[event.type, event.who.handle]] : [],
    );
  };
  const look = () => callEngine(ben, 'groups.look', { conversationId });
  const made = ['linkMade', 'ann'];
  expect(await linesOf(ann, id)).toEqual([made]);
  // Before Ben joined.
  expect(await linesOf(ben, conversationId)).toEqual([]);
  await newLink(id);
  await look();
  const last = await newLink(id);
  await look();
  expect(await linesOf(ben, conversationId)).toEqual([made]);
  await callEngine(ann, 'groups.cancelLink', { conversationId: id, key: last.key });
  await look();
  const canceled = ['linkCanceled', 'ann'];
  expect(await linesOf(ben, conversationId)).toEqual([made, canceled]);
  expect((await linesOf(ann, id)).at(-1)).toEqual(canceled);
  // Again and again: the timeline does not grow.
  for (let round = 0; round < 3; round++) {
    const { key } = await newLink(id);
    await look();
    await callEngine(ann, 'groups.cancelLink', { conversationId: id, key });
    await look();
  }
  expect(await linesOf(ben, conversationId)).toEqual([made, canceled]);
  expect((await linesOf(ann, id)).slice(-2)).toEqual([made, canceled]);
  // Made and canceled between two looks.
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'Another one' });
  await eventually(
    () => callEngine(ben, 'messages.list', { conversationId, limit: 200 }),
    ({ messages }) => messages.some(({ event }) => event === null),
  );
  const { key } = await newLink(id);
  await callEngine(ann, 'groups.cancelLink', { conversationId: id, key });
  await look();
  expect(await linesOf(ben, conversationId)).toEqual([made, canceled, made, canceled]);
});
