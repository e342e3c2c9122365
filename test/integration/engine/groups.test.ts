/**
 * Three people and a bot in one group: separate engines on a real relay, and the bot on the library.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FailureCode } from '../../../src/base/failure.ts';
import type { Conversation, GroupConversation } from '../../../src/bridge/shapes/conversation.ts';
import type { JoinSetting } from '../../../src/bridge/shapes/group.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { RelayClient } from '../../../src/client/index.ts';
import { startRelay } from '../../../src/relay/index.ts';
import { newBot } from '../../support/bots.ts';
import { callEngine, eventually, setUp, type TestEngine, temporaryFolder } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

const folder = temporaryFolder();
let relay: Awaited<ReturnType<typeof startRelay>>;
const engines: TestEngine[] = [];

async function newEngine(handle: string): Promise<TestEngine> {
  const engine = await new LocalEngine(relay.url).start();
  engines.push(engine);
  await setUp(engine, handle);
  return engine;
}

let ann: TestEngine;
let ben: TestEngine;
let cat: TestEngine;
beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } });
  ann = await newEngine('ann');
  ben = await newEngine('ben');
  cat = await newEngine('cat');
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
  await relay.close();
  folder[Symbol.dispose]();
});

function asGroup(conversation: Conversation): GroupConversation {
  if (conversation.kind !== 'group') throw new Error('this is no group');
  return conversation;
}

async function create(name: string, password: string | null = null): Promise<GroupConversation> {
  const join: JoinSetting = password === null ? { mode: 'open' } : { mode: 'password', password };
  return asGroup(await callEngine(ann, 'groups.create', { name, description: '', join }));
}

async function join(engine: TestEngine, groupId: string, password: string | null = null) {
  return asGroup(await callEngine(engine, 'groups.join', { groupId, password }));
}

/** The group in an engine. */
async function groupIn(engine: TestEngine, groupId: string): Promise<GroupConversation> {
  const all = await callEngine(engine, 'conversations.list', {});
  const found = all.find((each) => each.kind === 'group' && each.group.groupId === groupId);
  if (!found) throw new Error('this engine does not have the group');
  return asGroup(found);
}

async function timeline(engine: TestEngine, groupId: string): Promise<Message[]> {
  const { id } = await groupIn(engine, groupId);
  return (await callEngine(engine, 'messages.list', { conversationId: id, limit: 200 })).messages;
}

async function texts(engine: TestEngine, groupId: string): Promise<string[]> {
  return (await timeline(engine, groupId)).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
}

async function sendText(engine: TestEngine, groupId: string, text: string): Promise<void> {
  const { id } = await groupIn(engine, groupId);
  await callEngine(engine, 'messages.send', { conversationId: id, text });
}

/** The same, and waits until the relay has it. */
async function sendUntilStored(engine: TestEngine, groupId: string, text: string): Promise<void> {
  await sendText(engine, groupId, text);
  await eventually(
    () => timeline(engine, groupId),
    (all) => all.some((message) => message.text === text && message.state === 'sent'),
  );
}

test('a group is found and joined with its password; each message arrives once, with its sender', async () => {
  const { group } = await create('Bird watchers', 'open sesame');
  const { groups } = await callEngine(ben, 'groups.browse', { query: 'watch', cursor: null });
  expect(groups).toMatchObject([
    { groupId: group.groupId, join: 'password', memberCount: 1, conversationId: null },
  ]);
  await expect(join(ben, group.groupId, 'tea')).rejects.toMatchObject({ code: 'group_password_wrong' });
  const joined = await eventually(
    () => join(ben, group.groupId, 'open sesame').catch(() => null),
    (conversation) => conversation !== null,
  );
  expect(joined?.group).toMatchObject({ name: 'Bird watchers', memberCount: 2, isCreator: false });
  await eventually(
    () => join(cat, group.groupId, 'open sesame').catch(() => null),
    (conversation) => conversation !== null,
  );

  await sendText(ben, group.groupId, 'from ben');
  await sendText(ann, group.groupId, 'from ann');
  await sendText(cat, group.groupId, 'from cat');
  for (const engine of [ann, ben, cat]) {
    const all = await eventually(
      () => texts(engine, group.groupId),
      ({ length }) => length >= 3,
    );
    expect(all.toSorted()).toEqual(['from ann', 'from ben', 'from cat']);
  }
  const arrived = (await timeline(ann, group.groupId)).find(({ text }) => text === 'from ben');
  expect(arrived).toMatchObject({ trust: 'verified', state: 'received', author: { handle: 'ben' } });
  expect(await groupIn(ann, group.groupId)).toMatchObject({ group: { memberCount: 3 }, state: 'accepted' });
});

test('joins and leaves are shown in the timeline; a removed member receives and sends nothing', async () => {
  const { group, id } = await create('Comings and goings');
  await join(ben, group.groupId);
  await join(cat, group.groupId);
  const details = await callEngine(ann, 'groups.details', { conversationId: id });
  expect(
    details.members
      .map(({ person, isCreator, isMe, devices, problem }) => [
        person.handle,
        isCreator,
        isMe,
        devices,
        problem,
      ])
      .toSorted(),
  ).toEqual([
    ['ann', true, true, 1, null],
    ['ben', false, false, 1, null],
    ['cat', false, false, 1, null],
  ]);
  const cats = details.members.find(({ person }) => person.handle === 'cat')?.person.address ?? '';
  await callEngine(ann, 'groups.removeMember', { conversationId: id, address: cats });
  await sendText(ann, group.groupId, 'without cat');
  await eventually(
    () => texts(ben, group.groupId),
    (all) => all.includes('without cat'),
  );
  expect(await texts(cat, group.groupId)).toEqual([]);
  const events = (await timeline(ann, group.groupId)).flatMap(({ event }) =>
    event ? [`${event.type} ${event.who.handle}`] : [],
  );
  expect(events.toSorted()).toEqual(['joined ben', 'joined cat', 'left cat']);

  await eventually(
    () => groupIn(cat, group.groupId),
    ({ group: { joined } }) => !joined,
  );
  await expect(sendText(cat, group.groupId, 'still here?')).rejects.toMatchObject({ code: 'group_left' });
});

test('a message of a removed member who has not received the removal fails', async () => {
  await using proxy = await CuttingProxy.withRelay();
  await using owner = await new LocalEngine(proxy.url).start();
  await using member = await new LocalEngine(proxy.url).start();
  await setUp(owner, 'owner');
  const { address } = await setUp(member, 'member');
  const open = { name: 'Unaware', description: '', join: { mode: 'open' } as const };
  const { group, id } = asGroup(await callEngine(owner, 'groups.create', open));
  await join(member, group.groupId);
  const inbox = Promise.withResolvers<boolean>();
  proxy.cuts = ({ path }) => path.includes('/inbox?') && inbox.promise;
  await callEngine(owner, 'groups.removeMember', { conversationId: id, address });

  await sendText(member, group.groupId, 'still here?');
  const [failed] = await eventually(
    async () => (await timeline(member, group.groupId)).filter(({ kind }) => kind === 'text'),
    ([message]) => message?.state === 'failed',
  );
  expect(failed?.problem).toMatchObject({ code: 'group_left' });
  expect((await groupIn(member, group.groupId)).group.joined).toBe(false);
  await expect(sendText(member, group.groupId, 'again')).rejects.toMatchObject({ code: 'group_left' });
  // The second failure differs from the first one also for a page that has not seen the retry.
  expect(await groupIn(member, group.groupId)).toMatchObject({ failed: 1, failures: 1 });
  await callEngine(member, 'messages.retry', { id: failed?.id ?? '' });
  await eventually(
    () => groupIn(member, group.groupId),
    ({ failures }) => failures === 2,
  );
  expect(await groupIn(member, group.groupId)).toMatchObject({ failed: 1, failures: 2 });
  inbox.resolve(true);
});

test('a post by token alone is shown as unsigned, in the creator’s name; a revoked token cannot post', async () => {
  const { group, id } = await create('With a bot');
  await join(ben, group.groupId);
  const created = await callEngine(ann, 'groups.createToken', {
    conversationId: id,
    name: 'build bot',
    alone: true,
  });
  const bot = new RelayClient({ relay: created.relayUrl, secret: created.secret });
  await bot.sendToGroup(group.groupId, 'the build is green');
  for (const engine of [ann, ben]) {
    const [message] = await eventually(
      async () => (await timeline(engine, group.groupId)).filter(({ kind }) => kind === 'text'),
      ({ length }) => length > 0,
    );
    expect(message).toMatchObject({
      text: 'the build is green',
      trust: 'token',
      bot: { name: 'build bot' },
      state: 'received',
      author: { handle: 'ann' },
    });
    const { last } = await callEngine(engine, 'conversations.get', { id: message?.conversationId ?? '' });
    expect(last?.bot, 'the list tells it as a bot’s, not as its owner’s').toBe('build bot');
  }
  const { botTokens } = await callEngine(ann, 'groups.details', { conversationId: id });
  expect(botTokens).toMatchObject([
    { name: 'build bot', prefix: created.secret.slice(0, 12), revokedAt: null },
  ]);
  expect(
    (await callEngine(ben, 'groups.details', { conversationId: (await groupIn(ben, group.groupId)).id }))
      .botTokens,
  ).toBeNull();
  const after = await callEngine(ann, 'groups.revokeToken', {
    conversationId: id,
    tokenId: botTokens?.[0]?.id ?? '',
  });
  expect(after.botTokens?.[0]?.revokedAt).not.toBeNull();
  expect([created.botKey, after.unsignedBots]).toEqual([null, false]);
  await expect(bot.sendToGroup(group.groupId, 'too late')).rejects.toMatchObject({ status: 401 });
});

test('bots that post by token alone are distinct, also with the name of a revoked one', async () => {
  const { group, id } = await create('With two bots');
  await join(ben, group.groupId);
  const createToken = async (name: string) => {
    const { relayUrl, secret, ...token } = await callEngine(ann, 'groups.createToken', {
      conversationId: id,
      name,
      alone: true,
    });
    const post = (text: string) =>
      new RelayClient({ relay: relayUrl, secret }).sendToGroup(group.groupId, text);
    return { ...token, post };
  };
  const revokeAll = async () => {
    const { botTokens } = await callEngine(ann, 'groups.details', { conversationId: id });
    for (const { id: tokenId } of botTokens ?? [])
      await callEngine(ann, 'groups.revokeToken', { conversationId: id, tokenId });
  };
  const [first, weather] = [await createToken('deploys'), await createToken('weather')];
  await first.post('one');
  await weather.post('two');
  await first.post('three');
  const read = async () => (await timeline(ben, group.groupId)).filter(({ kind }) => kind === 'text');
  await eventually(read, ({ length }) => length === 3);
  await revokeAll();
  await (await createToken('deploys')).post('four');
  await eventually(read, ({ length }) => length === 4);
  await revokeAll();
  const messages = await read();
  expect(messages.map(({ trust }) => trust)).toEqual(['token', 'token', 'token', 'token']);
  const bots = new Map(messages.map(({ text, bot }) => [text, bot]));
  const named = ['one', 'two', 'three', 'four'].map((text) => bots.get(text)?.name);
  expect(named).toEqual(['deploys', 'weather', 'deploys', 'deploys']);
  expect(bots.get('three')).toEqual(bots.get('one'));
  expect(new Set(messages.map(({ bot }) => bot?.key)).size).toBe(3);
});

test('a bot signs with its own key and is shown by name until it is revoked', async () => {
  const { group, id } = await create('With a signing bot');
  await join(ben, group.groupId);
  const created = await callEngine(ann, 'groups.createToken', {
    conversationId: id,
    name: 'builds',
    alone: false,
  });
  const { relayUrl: relay, secret, botKey } = created;
  const bot = new RelayClient({ relay, secret, botKey: botKey ?? '' });
  await bot.sendToGroup(group.groupId, 'the build is green');
  for (const engine of [ann, ben]) {
    const [message] = await eventually(
      async () => (await timeline(engine, group.groupId)).filter(({ kind }) => kind === 'text'),
      ({ length }) => length > 0,
    );
    expect(message).toMatchObject({ trust: 'bot', state: 'received', bot: { name: 'builds' } });
    const { last } = await groupIn(engine, group.groupId);
    expect(last).toMatchObject({ bot: 'builds', outgoing: false });
  }
  const { botTokens, lostBots, unsignedBots } = await callEngine(ann, 'groups.details', {
    conversationId: id,
  });
  expect([botTokens, lostBots, unsignedBots]).toMatchObject([[{ name: 'builds', signs: true }], [], false]);
  const tokenId = botTokens?.[0]?.id ?? '';
  const after = await callEngine(ann, 'groups.revokeToken', { conversationId: id, tokenId });
  expect(after.botTokens).toMatchObject([{ signs: false }]);
  await expect(bot.sendToGroup(group.groupId, 'too late')).rejects.toMatchObject({ status: 401 });
});

test('a member who joins during a post gets the message', async () => {
  const { group } = await create('Topped up');
  await join(ben, group.groupId);
  await sendText(ann, group.groupId, 'first');
  await eventually(
    () => texts(ben, group.groupId),
    ({ length }) => length === 1,
  );
  await join(cat, group.groupId);
  // Ann's view of the group is an earlier one.
  await sendText(ann, group.groupId, 'second');
  await eventually(
    () => texts(cat, group.groupId),
    (all) => all.includes('second'),
  );
  expect(await texts(ben, group.groupId)).toEqual(['first', 'second']);
});

test('the history stays after leaving, and returns with the group', async () => {
  const { group } = await create('Left and back');
  await join(ben, group.groupId);
  await sendUntilStored(ben, group.groupId, 'before');
  // Ann misses only people whom she has seen as members.
  await eventually(
    () => texts(ann, group.groupId),
    (all) => all.includes('before'),
  );
  const { id } = await groupIn(ben, group.groupId);
  const left = asGroup(await callEngine(ben, 'groups.leave', { conversationId: id }));
  expect(left.group.joined).toBe(false);
  await sendUntilStored(ann, group.groupId, 'while away');
  const back = await join(ben, group.groupId);
  expect([back.id, back.group.joined]).toEqual([id, true]);
  await sendUntilStored(ann, group.groupId, 'welcome back');
  const all = await eventually(
    () => texts(ben, group.groupId),
    ({ length }) => length >= 2,
  );
  expect(all).toEqual(['before', 'welcome back']);
});

test('names have 80 characters in any script; one more is too long', async () => {
  const name = 'Группа любителей птиц и старых деревьев нашего района';
  const description = 'Мы гуляем по воскресеньям. '.repeat(37).trim();
  const { id, group } = await create(name);
  expect(group.name).toBe(name);
  const longest = `${'鳥'.repeat(79)}🐦`;
  const changed = await callEngine(ann, 'groups.change', { conversationId: id, name: longest, description });
  expect([changed.group.name, changed.description]).toEqual([longest, description]);
  const created = await callEngine(ann, 'groups.createToken', {
    conversationId: id,
    name: longest,
    alone: false,
  });
  expect(created.name).toBe(longest);
  const { botTokens } = await callEngine(ann, 'groups.details', { conversationId: id });
  expect(botTokens?.map((token) => token.name)).toEqual([longest]);
  const saved = await callEngine(ann, 'profile.save', { displayName: longest });
  expect(saved.displayName).toBe(longest);

  const tooLong = `${longest}x`;
  const refused = (call: Promise<unknown>, code: FailureCode, most: number) =>
    expect(call).rejects.toMatchObject({ code, parameters: { most } });
  const join = { mode: 'open' } as const;
  await refused(callEngine(ann, 'groups.create', { name: tooLong, description: '', join }), 'name_long', 80);
  await refused(
    callEngine(ann, 'groups.change', { conversationId: id, description: '鳥'.repeat(1_001) }),
    'description_long',
    1_000,
  );
  await refused(
    callEngine(ann, 'groups.createToken', { conversationId: id, name: tooLong, alone: true }),
    'name_long',
    80,
  );
  await refused(callEngine(ann, 'profile.save', { displayName: tooLong }), 'name_long', 80);
});

test('invalid input fails with a reason', async () => {
  const { id } = await create('Sentences');
  const refused = (call: Promise<unknown>, code: FailureCode) => expect(call).rejects.toMatchObject({ code });
  await refused(
    callEngine(ann, 'groups.create', { name: '  ', description: '', join: { mode: 'open' } }),
    'group_name_empty',
  );
  await refused(
    callEngine(ann, 'groups.createToken', { conversationId: id, name: ' ', alone: false }),
    'token_name_empty',
  );
  await refused(join(ben, 'no-such-group'), 'group_invitation_over');
  await refused(callEngine(ann, 'groups.details', { conversationId: '99999' }), 'group_unknown');
});

test('a removed member is no longer in the group', async () => {
  const { group, id } = await create('Without Ben');
  const bens = await join(ben, group.groupId);
  const [removed] = (await callEngine(ann, 'groups.details', { conversationId: id })).members.filter(
    ({ person }) => person.handle === 'ben',
  );
  await callEngine(ann, 'groups.removeMember', {
    conversationId: id,
    address: removed?.person.address ?? '',
  });
  await callEngine(ben, 'groups.details', { conversationId: bens.id }).catch(() => undefined);
  const after = (await groupIn(ben, group.groupId)).group;
  expect(after).toMatchObject({ joined: false, problem: null });
  const lines = await eventually(
    async () => (await timeline(ben, group.groupId)).flatMap(({ event }) => event ?? []),
    (events) => events.some(({ type }) => type === 'left'),
  );
  expect(lines.at(-1)).toMatchObject({ type: 'left', who: { handle: 'ben' }, by: { handle: 'ann' } });
});

test('a removed member is asked to get an invitation, without an error about the password', async () => {
  const { group, id } = await create('Removed with a password', 'open sesame');
  const bens = await join(ben, group.groupId, 'open sesame');
  const address = (await callEngine(ben, 'app.state', {})).me?.address ?? '';
  await callEngine(ann, 'groups.removeMember', { conversationId: id, address });
  await callEngine(ben, 'groups.details', { conversationId: bens.id }).catch(() => undefined);
  await expect(join(ben, group.groupId, 'open sesame')).rejects.toMatchObject({
    code: 'roster_act_refused',
    parameters: { reason: 'ticket_needed' },
  });
});

test('a group by invitation is not shown as open', async () => {
  const owner = await newBot(relay);
  const { id } = await owner.client.createGroup('Invited alone');
  const { groups } = await callEngine(ben, 'groups.browse', { query: 'Invited alone', cursor: null });
  expect(groups).toMatchObject([{ groupId: id, join: 'invite' }]);
  const address = (await callEngine(ben, 'app.state', {})).me?.address ?? '';
  await owner.client.inviteToGroup(id, address);
  const joined = await eventually(
    () => join(ben, id).catch(() => null),
    (conversation) => conversation !== null,
  );
  expect(joined?.group).toMatchObject({ join: 'invite', memberCount: 2 });
});

test('an admin invites and removes, and the group is transferred', async () => {
  const { group, id } = await create('Handed over');
  const bens = await join(ben, group.groupId);
  await join(cat, group.groupId);
  const addressOf = async (engine: TestEngine) =>
    (await callEngine(engine, 'app.state', {})).me?.address ?? '';
  const [bensAddress, cats] = [await addressOf(ben), await addressOf(cat)];
  const remove = { conversationId: bens.id, address: cats };
  await expect(callEngine(ben, 'groups.removeMember', remove)).rejects.toMatchObject({
    code: 'roster_act_refused',
  });
  const set = { conversationId: id, address: bensAddress, isAdmin: true };
  const { members } = await callEngine(ann, 'groups.setAdmin', set);
  expect(members.filter(({ isAdmin }) => isAdmin).map(({ person }) => person.handle)).toEqual(['ben']);
  expect((await callEngine(ben, 'groups.removeMember', remove)).group).toMatchObject({
    memberCount: 2,
    isAdmin: true,
  });
  const handed = await callEngine(ann, 'groups.transfer', { conversationId: id, address: bensAddress });
  expect(handed.group).toMatchObject({ isCreator: false, isAdmin: true });
  const after = await callEngine(ben, 'groups.details', { conversationId: bens.id });
  expect(after.group).toMatchObject({ isCreator: true, isAdmin: false });
});

test('invisible characters are removed from names wherever they are typed', async () => {
  const { displayName } = await callEngine(ben, 'profile.save', { displayName: ' Ben\u202e\nB.\ud83e ' });
  expect(displayName).toBe('Ben B.');
  const { id, group } = await create('\u200eHeron\twatchers\u2069');
  expect(group.name).toBe('Heron watchers');
  const created = await callEngine(ann, 'groups.createToken', {
    conversationId: id,
    name: '\u202dheron bot',
    alone: false,
  });
  expect(created.name).toBe('heron bot');
  const nothingSeen = callEngine(ann, 'groups.change', { conversationId: id, name: '\u200f\u200f' });
  await expect(nothingSeen).rejects.toMatchObject({ code: 'group_name_empty' });
});

test('a group by invitation is created as one, names the people who can invite, and admits only invited people', async () => {
  const made = asGroup(
    await callEngine(ann, 'groups.create', {
      name: 'By invitation',
      description: '',
      join: { mode: 'invite' },
    }),
  );
  const { groupId } = made.group;
  expect(made.group.join).toBe('invite');
  const { groups } = await callEngine(ben, 'groups.browse', { query: 'By invitation', cursor: null });
  expect(groups).toMatchObject([
    { groupId, join: 'invite', owner: { address: (await callEngine(ann, 'app.state', {})).me?.address } },
  ]);
  await expect(join(ben, groupId)).rejects.toMatchObject({ code: 'group_invitation_over' });

  await callEngine(ann, 'groups.change', { conversationId: made.id, join: { mode: 'open' } });
  await join(ben, groupId);
  const shut = await callEngine(ann, 'groups.change', { conversationId: made.id, join: { mode: 'invite' } });
  expect(shut.group.join).toBe('invite');
  await expect(join(cat, groupId)).rejects.toMatchObject({ code: 'group_invitation_over' });
});

test('changes of admins and owner are shown in the timeline, with their author', async () => {
  const { id, group } = await create('Roles');
  const { groupId } = group;
  const idOfBen = (await join(ben, groupId)).id;
  const idOfCat = (await join(cat, groupId)).id;
  const addressOf = async (engine: TestEngine) =>
    (await callEngine(engine, 'app.state', {})).me?.address ?? '';
  const [anns, bens, cats] = [await addressOf(ann), await addressOf(ben), await addressOf(cat)];
  const details = (engine: TestEngine, conversationId: string) =>
    callEngine(engine, 'groups.details', { conversationId });
  await details(ben, idOfBen);
  const lines = async (engine: TestEngine) =>
    (await timeline(engine, groupId)).flatMap(({ event }) =>
      event && event.type !== 'joined' ? [[event.type, event.who.address, event.by?.address ?? null]] : [],
    );

  const asAdmin = { conversationId: id, address: bens };
  await callEngine(ann, 'groups.setAdmin', { ...asAdmin, isAdmin: true });
  expect(await lines(ann)).toEqual([['admin', bens, anns]]);
  await details(ben, idOfBen);
  expect(await lines(ben)).toEqual([['admin', bens, anns]]);
  await callEngine(ann, 'groups.setAdmin', { ...asAdmin, isAdmin: false });
  expect((await lines(ann)).at(-1)).toEqual(['noAdmin', bens, anns]);

  await callEngine(ann, 'groups.transfer', { conversationId: id, address: bens });
  expect((await lines(ann)).slice(2)).toEqual([
    ['owner', bens, anns],
    ['admin', anns, anns],
  ]);
  await details(ben, idOfBen);
  await callEngine(ben, 'groups.transfer', { conversationId: idOfBen, address: cats });
  // Cat's app reads it now, or a part of it before, when a message of the group arrives: the last line about each is the same.
  await details(cat, idOfCat);
  const last = new Map((await lines(cat)).map((line) => [line[1], line]));
  expect([...last.values()]).toEqual(
    expect.arrayContaining([
      ['owner', cats, bens],
      ['admin', anns, anns],
      ['admin', bens, bens],
    ]),
  );
  expect(last.size).toBe(3);

  // Cat transfers the group back and leaves, and Ann removes Ben: after the line of their leaving a person has no acts.
  await callEngine(cat, 'groups.transfer', { conversationId: idOfCat, address: anns });
  await callEngine(cat, 'groups.leave', { conversationId: idOfCat });
  expect((await lines(cat)).at(-1)).toEqual(['left', cats, cats]);
  await details(ann, id);
  expect((await lines(ann)).filter(([type]) => type !== 'admin').slice(-2)).toEqual([
    ['owner', anns, cats],
    ['left', cats, cats],
  ]);
  await callEngine(ann, 'groups.removeMember', { conversationId: id, address: bens });
  expect((await lines(ann)).at(-1)).toEqual(['left', bens, anns]);
});

test('looking at a group reports removals and joins although no one has written', async () => {
  const { id, group } = await create('Looked at');
  const { groupId } = group;
  const idOfBen = (await join(ben, groupId)).id;
  await join(cat, groupId);
  const look = () => callEngine(ben, 'groups.look', { conversationId: idOfBen });
  await look();
  const arrivals = (await timeline(ben, groupId)).filter(({ event }) => event?.type === 'joined');
  expect(arrivals).toHaveLength(2);
  expect((await groupIn(ben, groupId)).group).toMatchObject({ joined: true, memberCount: 3 });

  const { me } = await callEngine(ben, 'app.state', {});
  await callEngine(ann, 'groups.removeMember', { conversationId: id, address: me?.address ?? '' });
  await look();
  expect((await groupIn(ben, groupId)).group.joined).toBe(false);
  // Once it is known, no call is made.
  await look();
});
