import { beforeEach, expect, test } from 'vitest';
import { Journal } from '../../../../src/client/identity/journal/journal.ts';
import { PENDING_FOR } from '../../../../src/messaging/groups/directory.ts';
import { RelayRefusal } from '../../../../src/messaging/relay.ts';
import { importEd25519 } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { entryHash, signEntry } from '../../../../src/protocol/roster/entry.ts';
import type { RosterEntry } from '../../../../src/protocol/roster/forms.ts';
import { nextEntry } from '../../../../src/protocol/roster/making.ts';
import { membersOf } from '../../../../src/protocol/roster/state.ts';
import type { ChainRelay } from '../../../support/chain-relay.ts';
import { Follower, GroupWorld } from '../../../support/followers.ts';
import { fixedBytes } from '../../../support/identities.ts';
import {
  type Action,
  DAY,
  MINUTE,
  type RosterFixture,
  rosterFixture,
  signerOf,
} from '../../../support/rosters.ts';

const ann = rosterFixture('ann', 0x10);
const ben = rosterFixture('ben', 0x20);
const cat = rosterFixture('cat', 0x30);
const dan = rosterFixture('dan', 0x40);

let world: GroupWorld;
let relay: ChainRelay;
beforeEach(() => {
  world = new GroupWorld([ann, ben, cat, dan]);
  relay = world.relay;
});

const pass = (milliseconds: number) => world.pass(milliseconds);
const follower = (person: RosterFixture) => new Follower(world, person);
const problemOf = (who: Follower, id: string) => who.problem(id);
const known = (who: Follower, id: string) => who.known(id);

const newGroup = { name: 'Walkers', description: '', join: { mode: 'open' }, listed: true } as const;

/** Ann's group, open to all, with those who joined. */
async function openGroup(...others: Follower[]) {
  const maker = follower(ann);
  const { group } = await maker.groups.create(newGroup);
  for (const other of others) await other.groups.join(group.groupId, {});
  return { maker, id: group.groupId };
}

/** An unposted entry of a member after the relay's last one. */
function unposted(person: RosterFixture, action: Action, device: 0 | 1 | 2 = 0): RosterEntry {
  return nextEntry(relay.state(), signerOf(person, 1, device), action, world.now);
}

/** A message of now that names an entry by its number; unknown to the relay if there are fewer. */
function messageOf(sender: RosterFixture, epoch: number) {
  const entry = relay.entries[epoch - 1];
  const hash = entry ? entryHash(entry) : encodeBase64Url(fixedBytes(9));
  return {
    groupId: relay.state().groupId,
    sender: sender.address,
    authorship: { by: 'member' } as const,
    roster: { epoch, hash },
    sentAt: world.now,
    receivedAt: world.now,
    isRequested: false,
    isSigned: true,
    freshFor: 0,
  };
}

test('a group has the members of its chain, read in pages from the pinned entry', async () => {
  const { maker, id } = await openGroup(follower(ben), follower(cat));
  expect(relay.entries).toHaveLength(4);
  const { group } = await maker.groups.known(id, 0);
  expect(membersOf(group.state)).toEqual([ann, ben, cat].map(({ address }) => address).toSorted());
  expect(maker.changes).toEqual([ben, cat].map(({ address }) => `+${address}`).toSorted());
  const calls = relay.calls;
  await maker.groups.known(id, 0);
  expect(relay.calls - calls, 'of a chain that is known to its end nothing is fetched').toBe(1);
  expect(await problemOf(maker, id)).toBeNull();
});

test('does not store an invented group that the user never joined', async () => {
  const { maker, id } = await openGroup(follower(cat));
  const bens = follower(ben);
  await expect(bens.groups.known(id, 0)).rejects.toMatchObject({ code: 'not_a_member' });
  await expect(bens.groups.of(id)).rejects.toMatchObject({ code: 'not_a_member' });
  await expect(bens.groups.judgeMessage({ ...messageOf(cat, 3), groupId: id })).rejects.toMatchObject({
    code: 'not_a_member',
  });
  expect(bens.journal.chains.all()).toEqual([]);
  // A view that names them changes nothing: they are not in the chain.
  const view = await relay.group();
  relay.group = async () => ({ ...view, members: [...view.members, ben.address], memberCount: 3 });
  await expect(bens.groups.known(id, 0)).rejects.toMatchObject({ code: 'not_a_member' });
  expect(bens.journal.chains.all()).toEqual([]);
  Reflect.deleteProperty(relay, 'group');

  // Another device of Ben's has joined: this one gets the whole chain, and stores its newest entries
  // completely.
  for (let index = 0; index < 20; index++) {
    pass(MINUTE);
    await maker.groups.change(id, () => ({ kind: 'change', name: `Walkers ${index}` }));
    await maker.groups.change(id, () => ({ kind: 'change', description: `On foot ${index}` }));
  }
  await follower(ben).groups.join(id, {});
  const { group } = await bens.groups.known(id, 0);
  expect(group.state).toEqual(relay.state());
  expect(bens.journal.chains.after(id, 0)).toHaveLength(relay.entries.length);
  expect(bens.journal.chains.whole(id)).toEqual(relay.entries.slice(-32));
});

test('does not follow a relay back to an older state, and sends nothing', async () => {
  const { maker, id } = await openGroup(follower(ben));
  pass(MINUTE);
  await maker.groups.remove(id, [ben.address]);
  relay.shownUpTo = 3;
  expect(await problemOf(maker, id)).toBe('roster_behind');
  expect(membersOf(known(maker, id).state)).toEqual([ann.address]);
  relay.shownUpTo = Number.POSITIVE_INFINITY;
  expect(await problemOf(maker, id)).toBeNull();
});

test('members restore lost entries at a relay, but only an owner a join', async () => {
  const [bens, cats] = [follower(ben), follower(cat)];
  const { maker, id } = await openGroup(bens, cats, follower(dan));
  await maker.groups.change(id, () => ({ kind: 'change', name: 'Runners' }));
  for (const { groups } of [bens, maker]) await groups.known(id, 0);
  const all = [...relay.entries];
  pass(DAY);
  relay.entries.splice(all.length - 1);
  expect(await problemOf(bens, id)).toBeNull();
  expect(relay.entries).toEqual(all);

  // Cat, Dan and the name are lost.
  relay.entries.splice(3);
  pass(DAY);
  expect(await problemOf(bens, id)).toBe('roster_behind');
  expect(relay.entries).toHaveLength(3);
  expect(await problemOf(maker, id)).toBeNull();
  expect(relay.entries).toEqual(all);
  expect(await problemOf(bens, id)).toBeNull();
});

test('does not restore entries again at once at a relay that loses them', async () => {
  const bens = follower(ben);
  const { id } = await openGroup(bens);
  let given = 0;
  relay.shownUpTo = 2;
  relay.appendEntry = async () => {
    given++;
  };
  for (let times = 0; times < 3; times++) expect(await problemOf(bens, id)).toBe('roster_behind');
  expect(given).toBe(1);
  pass(10 * MINUTE);
  expect(await problemOf(bens, id)).toBe('roster_behind');
  expect(given).toBe(2);
});

test('a repeated older state counts as one change, so that requests at each change end', async () => {
  const { maker, id } = await openGroup(follower(ben));
  pass(MINUTE);
  await maker.groups.remove(id, [ben.address]);
  relay.shownUpTo = 3;
  maker.noted.length = 0;
  for (let look = 0; look < 3; look++) await maker.groups.known(id, 0);
  expect(maker.noted).toEqual(['behind']);
  relay.shownUpTo = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 3; look++) await maker.groups.known(id, 0);
  expect(maker.noted).toEqual(['behind', undefined]);
});

test('a member in the view but not in the chain stops sending', async () => {
  const { maker, id } = await openGroup();
  const view = await relay.group();
  relay.group = async () => ({ ...view, members: [...view.members, ben.address], memberCount: 2 });
  expect(await problemOf(maker, id)).toBe('roster_behind');
});

test('keeps the last good state and the reason for another chain', async () => {
  const bens = follower(ben);
  const { id } = await openGroup(bens);
  pass(MINUTE);
  const before = known(bens, id).state.hash;
  // The relay rolls back and admits Cat at Ben's place.
  relay.entries.splice(2);
  relay.entries.push(unposted(cat, { kind: 'join' }));
  relay.entries.push(unposted(ann, { kind: 'change', name: 'Runners' }));
  expect(await problemOf(bens, id)).toBe('roster_replaced');
  expect(known(bens, id).state.hash).toBe(before);
  await expect(bens.groups.goOn(id), 'he is not in it').rejects.toMatchObject({ code: 'group_without_you' });
  expect(known(bens, id).state.hash).toBe(before);
});

test('an entry of a later version stops sending until the app is updated', async () => {
  const { maker, id } = await openGroup();
  const { epoch, hash } = relay.state();
  const issued = new Date(world.now).toISOString();
  const body = { epoch: epoch + 1, previous: hash, issued, by: ann.address, list: 1, kind: 'vote' };
  const entry = signEntry(ann.devices[0].key, id, body as unknown as Parameters<typeof signEntry>[2]);
  const view = await relay.group();
  relay.entries.push(entry);
  relay.group = async () => ({ ...view, roster: { epoch: epoch + 1, hash: entryHash(entry) } });
  expect(await problemOf(maker, id)).toBe('roster_newer');
  await expect(maker.groups.change(id, () => ({ kind: 'change' }))).rejects.toMatchObject({
    code: 'roster_newer',
  });
});

test('an entry waits for its device list', async () => {
  const { maker, id } = await openGroup();
  pass(MINUTE);
  relay.entries.push(unposted(dan, { kind: 'join' }));
  relay.withoutHistory.add(dan.address);
  expect(await problemOf(maker, id)).toBe('roster_list_missing');
  relay.withoutHistory.clear();
  expect(await problemOf(maker, id)).toBeNull();
});

test('signs a change again after a conflict if it is still valid', async () => {
  const { maker, id } = await openGroup();
  pass(MINUTE);
  relay.beforePost = () => void relay.entries.push(unposted(ben, { kind: 'join' }));
  const { group } = await maker.groups.change(id, () => ({ kind: 'change', name: 'Runners' }));
  expect([group.state.name, group.state.memberCount, group.state.epoch]).toEqual(['Runners', 2, 4]);

  relay.beforePost = () => void relay.entries.push(unposted(ben, { kind: 'leave' }));
  const before = relay.entries.length;
  await maker.groups.remove(id, [ben.address]);
  expect(relay.entries.length - before, 'who has left is not removed').toBe(1);
});

test('fetches a list changed on another device and signs with the newest', async () => {
  const { maker, id } = await openGroup();
  pass(MINUTE);
  relay.published.set(ann.address, 2);
  const { group } = await maker.groups.change(id, () => ({ kind: 'change', name: 'Runners' }));
  expect([group.state.name, group.state.people[ann.address]?.list]).toEqual(['Runners', 2]);
});

test('a password admits people who know it, a ticket only the invited person', async () => {
  const maker = follower(ann);
  const join = { mode: 'password', password: 'four plain words here' } as const;
  const { group } = await maker.groups.create({ ...newGroup, description: 'On foot', join });
  const id = group.groupId;
  expect([group.state.join, group.state.description]).toEqual(['password', 'On foot']);
  const refused = { code: 'roster_act_refused' };
  await expect(follower(ben).groups.join(id, { password: 'guessed' })).rejects.toMatchObject(refused);
  await expect(follower(ben).groups.join(id, {})).rejects.toMatchObject(refused);
  await follower(ben).groups.join(id, { password: 'four plain words here' });

  const ticket = await maker.groups.ticketFor(id, cat.address);
  await expect(follower(ben).groups.ticketFor(id, cat.address)).rejects.toMatchObject(refused);
  pass(MINUTE);
  await expect(follower(dan).groups.join(id, { ticket })).rejects.toMatchObject(refused);
  const cats = await follower(cat).groups.join(id, { ticket });
  expect(membersOf(cats.group.state)).toHaveLength(3);
});

test('a link admits people until it is removed', async () => {
  const maker = follower(ann);
  const { group } = await maker.groups.create({ ...newGroup, join: { mode: 'invite' } });
  const link = importEd25519(fixedBytes(0x66));
  const links = [{ key: encodeBase64Url(link.publicKey), expires: new Date(world.now + DAY).toISOString() }];
  await maker.groups.change(group.groupId, () => ({ kind: 'change', links }));
  await follower(ben).groups.join(group.groupId, { link });
  await maker.groups.change(group.groupId, () => ({ kind: 'change', links: [] }));
  await expect(follower(cat).groups.join(group.groupId, { link })).rejects.toMatchObject({
    code: 'roster_act_refused',
  });
});

test('a removed member gets no messages, and their messages ten minutes later are set aside', async () => {
  const { maker, id } = await openGroup(follower(ben), follower(cat));
  pass(MINUTE);
  await maker.groups.remove(id, [ben.address]);
  expect(maker.sent.spread).toEqual([relay.entries.at(-1)]);
  const { members } = await maker.groups.now(id, 0);
  expect(members.map(({ address }) => address)).not.toContain(ben.address);
  pass(MINUTE);
  expect(await maker.groups.judgeMessage(messageOf(ben, 4))).toMatchObject({ is: 'shown', unaware: [] });
  pass(10 * MINUTE);
  expect(await maker.groups.judgeMessage(messageOf(ben, 4))).toMatchObject({ is: 'refused' });
  expect(await maker.groups.judgeMessage(messageOf(ben, 5))).toMatchObject({ is: 'refused' });
});

test('a message written without knowledge of a removal is marked, and its sender is informed', async () => {
  const { maker, id } = await openGroup(follower(ben), follower(cat));
  pass(MINUTE);
  await maker.groups.remove(id, [ben.address]);
  pass(11 * MINUTE);
  expect(await maker.groups.judgeMessage(messageOf(cat, 4))).toMatchObject({
    is: 'shown',
    unaware: [ben.address],
  });
  expect(maker.sent.answered).toEqual([cat.address]);
});

test('a message that names a hidden entry waits for a day, and its sender is asked', async () => {
  const { maker, id } = await openGroup(follower(ben));
  pass(MINUTE);
  const message = messageOf(ben, 9);
  expect(await maker.groups.judgeMessage(message)).toMatchObject({ is: 'pending' });
  expect(maker.sent.requests).toEqual([ben.address]);
  expect(maker.groups.judgePending(known(maker, id), message, true)).toMatchObject({ is: 'pending' });
  pass(PENDING_FOR);
  expect(maker.groups.judgePending(known(maker, id), message, true)).toMatchObject({
    is: 'shown',
    isBeyond: true,
  });
  // A made-up name admits no one.
  expect(await maker.groups.judgeMessage({ ...message, sender: cat.address })).toMatchObject({
    is: 'refused',
  });
});

test('the recipient of a missing entry posts it', async () => {
  const bens = follower(ben);
  const { maker, id } = await openGroup(bens);
  pass(MINUTE);
  const missing = unposted(ann, { kind: 'change', name: 'Runners' });
  await bens.groups.receiveHello(ann.address, { groupId: id, roster: null, entries: [missing] });
  expect(relay.entries.at(-1)).toEqual(missing);
  expect(known(bens, id).state.name).toBe('Runners');
  expect(await problemOf(maker, id)).toBeNull();
});

test('proof of a split stops sending until the person continues', async () => {
  const bens = follower(ben);
  const { id } = await openGroup(bens, follower(cat));
  pass(MINUTE);
  const hidden = unposted(ann, { kind: 'change', remove: [cat.address] });
  // The chain shown to Ben has another entry at its place.
  relay.entries.push(unposted(dan, { kind: 'join' }));
  const hello = { groupId: id, roster: null, entries: [hidden] };
  await bens.groups.receiveHello(cat.address, hello);
  expect(await problemOf(bens, id)).toBe('roster_split');
  expect(bens.sent.passedOn).toEqual([hidden]);
  await bens.groups.receiveHello(cat.address, hello);
  expect(bens.sent.passedOn, 'it is passed on once').toHaveLength(1);
  await bens.groups.goOn(id);
  expect(await problemOf(bens, id)).toBeNull();
  await bens.groups.receiveHello(cat.address, hello);
  expect(await problemOf(bens, id), 'it was decided').toBeNull();
});

test('a change under a list that its signer has replaced proves nothing, unless the relay made that up', async () => {
  const [bens, cats] = [follower(ben), follower(cat)];
  const { id } = await openGroup(bens, cats);
  const entry = unposted(ann, { kind: 'change', name: 'Runners' });
  const hello = { groupId: id, roster: null, entries: [entry] };
  relay.published.set(ann.address, 2);
  await bens.groups.receiveHello(cat.address, hello);
  expect(await problemOf(bens, id)).toBeNull();
  relay.published.set(ann.address, 1);
  relay.appendEntry = async () => {
    throw new RelayRefusal(422, 'roster_refused', '', null, 'list_not_newest');
  };
  await cats.groups.receiveHello(ben.address, hello);
  expect(await problemOf(cats, id)).toBe('roster_split');
});

test('a join, a leave or a change that lost its race cannot silence a group', async () => {
  const bens = follower(ben);
  const { maker, id } = await openGroup(bens, follower(cat));
  pass(MINUTE);
  const entries = [
    unposted(cat, { kind: 'leave' }),
    unposted(dan, { kind: 'join' }),
    unposted(ann, { kind: 'change', name: 'Lost' }),
  ];
  await maker.groups.change(id, () => ({ kind: 'change', name: 'Won' }));
  await bens.groups.receiveHello(cat.address, { groupId: id, roster: null, entries });
  expect(await problemOf(bens, id)).toBeNull();
});

test('a change by a device removed since stops sending until it is confirmed', async () => {
  const bens = follower(ben);
  const { maker, id } = await openGroup(bens);
  pass(MINUTE);
  // The second device is not in Ann's second list.
  relay.entries.push(unposted(ann, { kind: 'change', name: 'Stolen' }, 1));
  expect(await problemOf(bens, id)).toBeNull();
  relay.published.set(ann.address, 2);
  await bens.keys.refresh(ann.address);
  expect(await problemOf(bens, id)).toBe('roster_device_dropped');
  await bens.groups.goOn(id);
  expect(await problemOf(bens, id)).toBeNull();

  const cats = follower(cat);
  await cats.groups.join(id, {});
  await cats.keys.refresh(ann.address);
  expect(await problemOf(cats, id)).toBe('roster_device_dropped');
  maker.own.list = 2;
  pass(MINUTE);
  await maker.groups.confirmDevices([known(maker, id)]);
  expect(await problemOf(cats, id), 'a standing device has confirmed it').toBeNull();
  const { length } = relay.entries;
  await maker.groups.confirmDevices([known(maker, id)]);
  expect(relay.entries, 'once is enough').toHaveLength(length);
});

test('a hidden group has ended until it is shown again, and its owner is informed', async () => {
  const bens = follower(ben);
  const { id } = await openGroup(bens);
  const { group, roster } = relay;
  relay.group = relay.roster = async () => {
    throw new RelayRefusal(403, 'not_a_member', '');
  };
  await expect(bens.groups.known(id, 0)).rejects.toMatchObject({ code: 'not_a_member' });
  expect(bens.groups.isJoined(known(bens, id))).toBe(false);
  expect(bens.sent.answered, 'an owner hears what it may have lost').toEqual([ann.address]);
  Object.assign(relay, { group, roster });
  expect(bens.groups.isJoined((await bens.groups.known(id, 0)).group)).toBe(true);
});

test('a group is the same after a restart', async () => {
  const bens = follower(ben);
  const { id } = await openGroup(bens);
  const again = new Journal(null, world.now);
  for (const line of bens.journal.chains.entries()) again.chains.apply(JSON.parse(JSON.stringify(line)));
  expect(again.chains.find(id)?.state).toEqual(known(bens, id).state);
  expect(again.chains.whole(id)).toEqual(relay.entries);
  expect(again.chains.after(id, 1)).toEqual(bens.journal.chains.after(id, 1));
});
