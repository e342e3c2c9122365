/**
 * A relay that shows a removed member as one again: it never carries the removal out, or shows an old roster later.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GroupConversation, Message } from '../../../../src/bridge/shapes.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { membersHash } from '../../../../src/protocol/members-hash.ts';
import type { GroupView } from '../../../../src/protocol/schemas/groups.ts';
import { callEngine, eventually, type TestEngine } from '../../../support/engine.ts';
import { forge, groupBody, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { type Honest, newHonest, textsOf, waitFor } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../../support/local-engine.ts';
import { newPerson } from '../../../support/person.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** Is removed, and reads on if the relay has its way. */
let cat: Honest;
/** Cat's only device. */
let catsKey: string;
let group: GroupConversation;
const engines: TestEngine[] = [];

beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben, cat] = [
    await newHonest(hostile, 'ann'),
    await newHonest(hostile, 'ben'),
    await newHonest(hostile, 'cat'),
  ];
  engines.push(ann.engine, ben.engine, cat.engine);
  const outsider = await newPerson(hostile.relay);
  catsKey = (await targetOf(hostile, outsider.token, cat.address)).sealKey;
  return async () => {
    for (const engine of engines) await engine[Symbol.asyncDispose]();
    await hostile[Symbol.asyncDispose]();
  };
});

/** A group of Ann's with Ben and Cat in it, all of whom everybody has seen. */
beforeEach(async () => {
  const made = await callEngine(ann.engine, 'groups.create', {
    name: 'Heron',
    description: '',
    password: null,
  });
  if (made.kind !== 'group') throw new Error('this is no group');
  group = made;
  for (const { engine } of [ben, cat]) {
    await callEngine(engine, 'groups.join', { groupId: made.group.groupId, password: null });
  }
  for (const one of [ann, ben]) await details(one);
});
afterEach(() => hostile.tellTruth());

async function groupOf({ engine }: { engine: TestEngine }): Promise<GroupConversation> {
  const all = await callEngine(engine, 'conversations.list', {});
  const found = all.find((each) => each.kind === 'group' && each.group.groupId === group.group.groupId);
  if (found?.kind !== 'group') throw new Error('this engine does not have the group');
  return found;
}

/** Looks at the group, so that its roster is asked for. */
async function details(one: Honest) {
  return callEngine(one.engine, 'groups.details', { conversationId: (await groupOf(one)).id });
}

async function say(from: { engine: TestEngine }, text: string): Promise<void> {
  await callEngine(from.engine, 'messages.send', { conversationId: (await groupOf(from)).id, text });
}

async function timelineOf(one: { engine: TestEngine }): Promise<Message[]> {
  const page = { conversationId: (await groupOf(one)).id, limit: 200 };
  return (await callEngine(one.engine, 'messages.list', page)).messages;
}

async function isSent(one: Honest, text: string): Promise<void> {
  await eventually(
    () => timelineOf(one),
    (all) => all.some((message) => message.text === text && message.state === 'sent'),
  );
}

/** Who came and went, as Ann or Ben is told. */
async function comingsOf(one: Honest): Promise<string[]> {
  const events = (await timelineOf(one)).flatMap(({ event }) => (event ? [event] : []));
  return events.flatMap(({ type, who }) => (who.handle === 'cat' ? [type] : []));
}

const unconfirmedOf = async (one: { engine: TestEngine }) =>
  (await groupOf(one)).group.unconfirmed.map(({ handle }) => handle);

const confirm = async (one: Honest, address: string) =>
  callEngine(one.engine, 'groups.confirmMember', { conversationId: (await groupOf(one)).id, address });

/** Takes the removal and answers that it is done. */
function swallowRemovals(): void {
  hostile.babble(
    (path) => path.includes(`/groups/${group.group.groupId}/members/`),
    (_, response) => response.writeHead(204).end(),
  );
}

/** Shows the group without Cat, as after a removal. Told the truth, Cat is a member again. */
function showWithoutCat(): void {
  hostile.lie(({ method, path, status, body }) => {
    if (method !== 'GET' || !path.endsWith(`/groups/${group.group.groupId}`) || status !== 200) return;
    const view = body as GroupView;
    const members = view.members.filter((address) => address !== cat.address);
    return { ...view, members, memberCount: members.length, membersHash: membersHash(members) };
  });
}

/** Ben has seen Cat's removal, and then the roster from before it. */
async function letCatReturn(): Promise<void> {
  showWithoutCat();
  await details(ben);
  hostile.tellTruth();
  await details(ben);
}

test('a removed member does not read on though the relay never carries the removal out', async () => {
  swallowRemovals();
  const after = await callEngine(ann.engine, 'groups.removeMember', {
    conversationId: group.id,
    address: cat.address,
  });
  expect(after.group).toMatchObject({ memberCount: 2, unconfirmed: [{ handle: 'cat' }] });
  expect(after.members.find(({ person }) => person.handle === 'cat')).toMatchObject({ unconfirmed: true });

  const before = { sent: hostile.sent.length, requests: hostile.requests.length };
  await say(ann, 'not for Cat');
  await waitFor(ben, 'not for Cat');
  await isSent(ann, 'not for Cat');
  expect(hostile.sent.slice(before.sent).join()).not.toContain(catsKey);
  // The relay says that Cat's device misses a copy. That makes no rounds.
  const asked = hostile.requests
    .slice(before.requests)
    .filter(({ path }) => path.endsWith(`/groups/${group.group.groupId}`));
  expect(asked.length).toBeLessThan(4);

  await ann.engine.close();
  await ann.engine.start();
  await details(ann);
  await say(ann, 'nor is this, after a restart');
  await waitFor(ben, 'nor is this, after a restart');
  expect(hostile.sent.slice(before.sent).join()).not.toContain(catsKey);
  expect(await textsOf(cat)).not.toContain('not for Cat');
});

test('the removal counts before the relay has answered it', async () => {
  const held = Promise.withResolvers<void>();
  hostile.babble(
    (path) => path.includes(`/groups/${group.group.groupId}/members/`),
    (_, response) => void held.promise.then(() => response.writeHead(204).end()),
  );
  const input = { conversationId: group.id, address: cat.address };
  const removal = callEngine(ann.engine, 'groups.removeMember', input);
  const before = hostile.sent.length;
  await say(ann, 'while the removal waits');
  await waitFor(ben, 'while the removal waits');
  held.resolve();
  await removal;
  expect(hostile.sent.slice(before).join()).not.toContain(catsKey);
});

test('a removal that the relay refuses leaves all as it was', async () => {
  const input = { conversationId: (await groupOf(ben)).id, address: cat.address };
  await expect(callEngine(ben.engine, 'groups.removeMember', input)).rejects.toMatchObject({
    message: expect.stringMatching(/\.$/),
  });
  await say(ben, 'Ben removes nobody');
  await waitFor(cat, 'Ben removes nobody');
});

test('an old roster, shown again later or in turns with the new one, brings nobody back', async () => {
  const before = hostile.sent.length;
  for (let turn = 0; turn < 3; turn++) {
    await letCatReturn();
    expect(await unconfirmedOf(ben)).toEqual(['cat']);
    await say(ben, `turn ${turn}`);
    await waitFor(ann, `turn ${turn}`);
    await isSent(ben, `turn ${turn}`);
  }
  expect(hostile.sent.slice(before).join()).not.toContain(catsKey);
  // Nor is the timeline filled with comings and goings.
  expect(await comingsOf(ben)).toEqual(['joined', 'left']);
});

test('once the user has confirmed them, a person who is back reads again, until the next removal', async () => {
  await letCatReturn();
  await confirm(ben, cat.address);
  expect(await unconfirmedOf(ben)).toEqual([]);
  await say(ben, 'welcome back');
  await waitFor(cat, 'welcome back');
  expect(await comingsOf(ben)).toEqual(['joined', 'left', 'joined']);

  const before = hostile.sent.length;
  await letCatReturn();
  await say(ben, 'removed once more');
  await waitFor(ann, 'removed once more');
  expect(hostile.sent.slice(before).join()).not.toContain(catsKey);
});

test('what a removed person writes is marked and notifies nobody, until they are confirmed', async () => {
  await letCatReturn();
  const arrivals: string[] = [];
  const stop = ben.engine.handle.onEvent((name, payload) => {
    if (name === 'message.arrived') arrivals.push(JSON.stringify(payload));
  });
  await say(cat, 'still here');
  await waitFor(ben, 'still here');
  await say(ann, 'a member’s');
  await waitFor(ben, 'a member’s');
  stop();
  const marked = async () =>
    (await timelineOf(ben)).flatMap(({ text, unconfirmed }) => (unconfirmed ? [text] : []));
  expect(await marked()).toEqual(['still here']);
  expect(arrivals.join()).not.toContain('still here');
  expect(arrivals.join()).toContain('a member’s');
  await confirm(ben, cat.address);
  expect(await marked()).toEqual([]);
});

test('a member who is still shown the roster from before the removal is noticed by the others', async () => {
  const dan = await newPerson(hostile.relay);
  const params = { id: group.group.groupId };
  await hostile.relay.call('joinGroup', { token: dan.token, params, body: {} });
  await details(ann);
  const old = membersHash([ann.address, ben.address, cat.address, dan.address]);
  const remove = { conversationId: group.id, address: cat.address };
  await callEngine(ann.engine, 'groups.removeMember', remove);
  const target = await targetOf(hostile, dan.token, ann.address);
  const tell = (minutes: number) => {
    const body = groupBody(dan.address, group.group.groupId, old, `after ${minutes} minutes`);
    const sentAt = encodeTime(Date.now() + minutes * 60_000);
    const message = { channel: 'group' as const, body: { ...body, sentAt } };
    hostile.invent(target.deviceId, forge(dan.address, target, message, dan.signer));
    return waitFor(ann, `after ${minutes} minutes`);
  };
  // A minute later Dan may not have heard of it yet.
  await tell(1);
  expect((await groupOf(ann)).group.membersDifferSince).toBeNull();
  await tell(11);
  expect((await groupOf(ann)).group.membersDifferSince).not.toBeNull();
});

test('those who have confirmed someone and those who have not do not warn each other', async () => {
  for (const one of [ann, ben]) {
    showWithoutCat();
    await details(one);
    hostile.tellTruth();
    await details(one);
  }
  await confirm(ben, cat.address);
  await say(ben, 'from Ben, who has confirmed');
  await waitFor(ann, 'from Ben, who has confirmed');
  await say(ann, 'from Ann, who has not');
  await waitFor(ben, 'from Ann, who has not');
  for (const one of [ann, ben]) expect((await groupOf(one)).group.membersDifferSince).toBeNull();
});

test('whom another device of the user removed is not sealed to, though the relay shows them here', async () => {
  const laptop = await new LocalEngine(hostile.url).start();
  const desktop = await new LocalEngine(hostile.url).start();
  engines.push(laptop, desktop);
  const { words, ask } = await callEngine(laptop, 'setup.newPhrase', {});
  const relay = { kind: 'embedded' as const };
  const answers = ask.map((place) => words[place - 1] ?? '');
  await callEngine(laptop, 'setup.finish', { relay, identity: { kind: 'new', answers } });
  await callEngine(laptop, 'profile.save', { handle: 'eve', displayName: 'Eve' });
  const made = await callEngine(laptop, 'groups.create', { name: 'Eve’s', description: '', password: null });
  if (made.kind !== 'group') throw new Error('this is no group');
  group = made;
  for (const { engine } of [ann, cat]) {
    await callEngine(engine, 'groups.join', { groupId: made.group.groupId, password: null });
  }
  await callEngine(desktop, 'setup.finish', {
    relay,
    identity: { kind: 'import', secret: words.join(' ') },
  });
  await eventually(
    () => callEngine(desktop, 'conversations.list', {}),
    ({ length }) => length > 0,
  );
  expect((await groupOf({ engine: desktop })).group.memberCount).toBe(3);
  // The desktop is never shown a roster without Cat; what the laptop signs tells it.
  swallowRemovals();
  await callEngine(laptop, 'groups.removeMember', { conversationId: made.id, address: cat.address });
  await say({ engine: laptop }, 'from the laptop');
  await eventually(
    () => timelineOf({ engine: desktop }),
    (all) => all.some(({ text }) => text === 'from the laptop'),
  );
  expect(await unconfirmedOf({ engine: desktop })).toEqual(['cat']);
  const before = hostile.sent.length;
  await say({ engine: desktop }, 'from the desktop');
  await waitFor(ann, 'from the desktop');
  expect(hostile.sent.slice(before).join()).not.toContain(catsKey);
});

test('a group that the user has left does not come back by the relay’s word alone', async () => {
  swallowRemovals();
  const { id } = await groupOf(ben);
  await callEngine(ben.engine, 'groups.leave', { conversationId: id });
  hostile.tellTruth();
  await say(ann, 'to whom Ann is shown');
  await waitFor(ben, 'to whom Ann is shown');
  expect((await groupOf(ben)).group).toMatchObject({ joined: false, isShownAgain: true, unconfirmed: [] });
  await expect(say(ben, 'by mistake')).rejects.toMatchObject({ code: 'group_left' });
  await confirm(ben, ben.address);
  expect((await groupOf(ben)).group).toMatchObject({ joined: true, isShownAgain: false });
  await say(ben, 'back by another device');
  await waitFor(ann, 'back by another device');
});
