/**
 * Invite links into groups: on two own computers, into groups that are not listed, and at a relay that lies.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Conversation, GroupConversation } from '../../../src/bridge/shapes/conversation.ts';
import { importEd25519 } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { formatInvite } from '../../../src/protocol/invite.ts';
import { callEngine, eventually, linkEngines, setUp } from '../../support/engine.ts';
import { newHonest } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

const DAY = 86_400;
const WEEK = 604_800;
const SEED = new Uint8Array(32).fill(7);
const KEY = encodeBase64Url(importEd25519(SEED).publicKey);

/** An engine whose stored secrets of links are visible. */
class OpenEngine extends LocalEngine {
  secrets(): string[] {
    const rows = this.cache
      ?.prepare<[], { key: string }>(
        "SELECT key FROM own_registers WHERE key LIKE 'link/%' AND value <> 'null'",
      )
      .all();
    return (rows ?? []).map(({ key }) => key.split('/')[2] ?? '');
  }
}

let resources: AsyncDisposableStack;
let relay: TestRelay;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
});
afterEach(() => resources.disposeAsync());

async function newEngine(): Promise<OpenEngine> {
  const engine = await new OpenEngine(relay.url).start();
  resources.use(engine);
  return engine;
}

async function groupIn(engine: OpenEngine, groupId: string): Promise<GroupConversation> {
  const found = await eventually(
    async () =>
      (await callEngine(engine, 'conversations.list', {})).find(
        (each: Conversation) => each.kind === 'group' && each.group.groupId === groupId,
      ),
    (each) => each !== undefined,
  );
  if (found?.kind !== 'group') throw new Error('this engine does not have the group');
  return found;
}

const linksOf = async (engine: OpenEngine, conversationId: string) =>
  (await callEngine(engine, 'groups.links', { conversationId })).links;

const newLink = async (engine: OpenEngine, conversationId: string) =>
  (await callEngine(engine, 'groups.createLink', { conversationId, expires: WEEK })).link;

/** The link into a group with {@link SEED}. */
const linkInto = (groupId: string, at: string) =>
  formatInvite({
    to: 'group',
    groupId,
    seed: encodeBase64Url(SEED),
    relay: at,
    relayKey: null,
    invitation: null,
  }).url;

test('the other own computer shows a link and can cancel it; a new owner ends all links', async () => {
  const [laptop, desktop, ben] = [await newEngine(), await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  const { address } = await setUp(ben, 'ben');
  const { id } = await callEngine(laptop, 'groups.create', {
    name: 'Heron',
    description: '',
    join: { mode: 'invite' },
  });
  const { groupId } = (await callEngine(laptop, 'groups.details', { conversationId: id })).group;
  const early = await newLink(laptop, id);
  await linkEngines(laptop, desktop);
  const there = await groupIn(desktop, groupId);
  // A link from before the computer was added, and one from after it.
  const late = await newLink(laptop, id);
  await callEngine(desktop, 'groups.look', { conversationId: there.id });
  await eventually(
    () => linksOf(desktop, there.id),
    (links) => links.length === 2 && links.every(({ url }) => url !== null),
  );
  expect(await linksOf(desktop, there.id)).toEqual([early, late]);

  await callEngine(desktop, 'groups.cancelLink', { conversationId: there.id, key: early.key });
  await callEngine(laptop, 'groups.look', { conversationId: id });
  expect(await linksOf(laptop, id)).toEqual([late]);
  await eventually(
    async () => [...laptop.secrets(), ...desktop.secrets()],
    (keys) => keys.length === 2 && keys.every((key) => key === late.key),
  );

  await callEngine(ben, 'invites.accept', { text: late.url ?? '' });
  await callEngine(laptop, 'groups.transfer', { conversationId: id, address });
  expect(await linksOf(laptop, id)).toEqual([]);
  await callEngine(desktop, 'groups.look', { conversationId: there.id });
  await eventually(
    async () => [...laptop.secrets(), ...desktop.secrets()],
    (keys) => keys.length === 0,
  );
  const cat = await newEngine();
  await setUp(cat, 'cat');
  await expect(callEngine(cat, 'invites.accept', { text: late.url ?? '' })).rejects.toMatchObject({
    code: 'invite_over',
  });
});

test('removing an own computer ends all invite links', async () => {
  const [laptop, desktop] = [await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  const groups = ['Heron', 'Stork'].map((name) => ({
    name,
    description: '',
    join: { mode: 'invite' as const },
  }));
  const ids: string[] = [];
  for (const group of groups) ids.push((await callEngine(laptop, 'groups.create', group)).id);
  for (const id of ids) await newLink(laptop, id);
  await callEngine(laptop, 'invites.create', {});
  await linkEngines(laptop, desktop);
  const removed = (await callEngine(laptop, 'devices.list', {})).find(({ isThis }) => !isThis);

  await callEngine(laptop, 'devices.revoke', { id: removed?.id ?? '' });
  for (const id of ids) {
    await eventually(
      () => linksOf(laptop, id),
      (links) => links.length === 0,
    );
  }
  expect((await callEngine(laptop, 'invites.list', {})).links).toEqual([]);
  // A later link stays.
  const later = await newLink(laptop, ids[0] ?? '');
  await callEngine(laptop, 'connection.retry', {});
  expect(await linksOf(laptop, ids[0] ?? '')).toEqual([later]);
});

test('a link that the relay did not remove after the removal of an own computer is removed later', async () => {
  await using hostile = await HostileRelay.start();
  const laptop = (await newHonest(hostile, 'ann', new OpenEngine(hostile.url))).engine;
  const desktop = hostile.use(await new OpenEngine(hostile.url).start());
  const { id } = await callEngine(laptop, 'groups.create', {
    name: 'Heron',
    description: '',
    join: { mode: 'invite' },
  });
  await newLink(laptop, id);
  await linkEngines(laptop, desktop);
  const removed = (await callEngine(laptop, 'devices.list', {})).find(({ isThis }) => !isThis);
  const refused = Promise.withResolvers<void>();
  hostile.babble(
    (path, method) => method === 'POST' && path.includes('/roster'),
    (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/problem+json' });
      response.end('{}');
      refused.resolve();
    },
  );
  await callEngine(laptop, 'devices.revoke', { id: removed?.id ?? '' });
  await refused.promise;
  expect(laptop.secrets()).toEqual([]);
  expect(await linksOf(laptop, id)).toMatchObject([{ url: null }]);

  hostile.answerTruthfully();
  await callEngine(laptop, 'connection.retry', {});
  await eventually(
    () => linksOf(laptop, id),
    (links) => links.length === 0,
  );
});

test('a link is lost with a failed change, and only then', async () => {
  const ann = await newEngine();
  await setUp(ann, 'ann');
  const { id } = await callEngine(ann, 'groups.create', {
    name: 'Heron',
    description: '',
    join: { mode: 'invite' },
  });
  for (let count = 0; count < 8; count++) await newLink(ann, id);
  await expect(newLink(ann, id)).rejects.toMatchObject({ code: 'invite_links_full' });
  expect(ann.secrets().toSorted()).toEqual((await linksOf(ann, id)).map(({ key }) => key).toSorted());
});

test('a link leads into a group that the relay does not list; a canceled one does not confirm the group', async () => {
  const ben = await newEngine();
  await setUp(ben, 'ben');
  const ann = await newPerson(relay);
  await ann.publishDevices([ann.device]);
  const expires = encodeTime(relay.now() + DAY * 1_000);
  const roster = await TestRoster.begin(ann, {
    name: 'Kingfisher',
    join: 'invite',
    listed: false,
    links: [{ key: KEY, expires }],
  });
  const text = linkInto(roster.id, relay.url);
  await expect(callEngine(ben, 'groups.join', { groupId: roster.id, password: null })).rejects.toThrow();
  expect(await callEngine(ben, 'invites.read', { text })).toMatchObject({
    name: 'Kingfisher',
    isMember: false,
  });
  const { conversationId } = await callEngine(ben, 'invites.accept', { text });
  expect(await callEngine(ben, 'conversations.get', { id: conversationId })).toMatchObject({
    group: { joined: true, memberCount: 2, join: 'invite' },
  });

  await roster.follow(ann);
  await roster.change(ann, { links: [] });
  const cat = await newEngine();
  await setUp(cat, 'cat');
  await expect(callEngine(cat, 'invites.accept', { text })).rejects.toMatchObject({ code: 'invite_over' });
  await expect(callEngine(cat, 'invites.read', { text })).rejects.toMatchObject({ code: 'invite_over' });
});

test('a relay cannot show another group in place of the one of a link', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newPerson(hostile.relay);
  const ben = await newHonest(hostile, 'ben');
  const links = [{ key: KEY, expires: encodeTime(hostile.relay.now() + DAY * 1_000) }];
  const [real, other] = [
    await TestRoster.begin(ann, { name: 'Heron', join: 'invite', links }),
    await TestRoster.begin(ann, { name: 'Your bank', join: 'invite', links }),
  ];
  const text = linkInto(real.id, hostile.url);
  hostile.lie(({ path, method }) =>
    method === 'GET' && path.includes(`/groups/${real.id}/roster`)
      ? { entries: other.entries, more: false }
      : undefined,
  );
  // Neither its name is shown, nor is it joined.
  expect(await callEngine(ben.engine, 'invites.read', { text })).toMatchObject({ name: null });
  await expect(callEngine(ben.engine, 'invites.accept', { text })).rejects.toMatchObject({
    code: 'relay_wrong_answer',
  });
  expect(await callEngine(ben.engine, 'conversations.list', {})).toEqual([]);

  hostile.answerTruthfully();
  expect(await callEngine(ben.engine, 'invites.read', { text })).toMatchObject({ name: 'Heron' });
  const { conversationId } = await callEngine(ben.engine, 'invites.accept', { text });
  expect(await callEngine(ben.engine, 'conversations.get', { id: conversationId })).toMatchObject({
    group: { name: 'Heron', joined: true },
  });
});
