/**
 * A relay that was restored from a backup and received other entries before the members returned the lost ones; and one
 * that only claims so.
 */
import { beforeEach, expect, test } from 'vitest';
import { Journal } from '../../../../src/client/identity/journal/journal.ts';
import { entryHash } from '../../../../src/protocol/roster/entry.ts';
import type { RosterEntry } from '../../../../src/protocol/roster/forms.ts';
import { nextEntry } from '../../../../src/protocol/roster/making.ts';
import { membersOf } from '../../../../src/protocol/roster/state.ts';
import type { ChainRelay } from '../../../support/chain-relay.ts';
import { Follower, GroupWorld } from '../../../support/followers.ts';
import {
  type Action,
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
let maker: Follower;
let bens: Follower;
let id: string;
/** Other viewers of the group. */
let others: Follower[];

/** Ann's open group with Ben, Cat and Dan: the entries that the backup has. */
beforeEach(async () => {
  world = new GroupWorld([ann, ben, cat, dan]);
  relay = world.relay;
  maker = new Follower(world, ann);
  bens = new Follower(world, ben);
  others = [];
  const newGroup = { name: 'Walkers', description: '', join: { mode: 'open' }, listed: true } as const;
  id = (await maker.groups.create(newGroup)).group.groupId;
  for (const who of [bens, new Follower(world, cat), new Follower(world, dan)]) await who.groups.join(id, {});
  world.pass(MINUTE);
});

const add = (person: RosterFixture, action: Action, device: 0 | 1 | 2 = 0): RosterEntry => {
  const entry = nextEntry(relay.state(), signerOf(person, 1, device), action, world.now);
  relay.entries.push(entry);
  return entry;
};
const refused = (who: Follower, code: string) => expect(who.groups.goOn(id)).rejects.toMatchObject({ code });
const addresses = (...people: RosterFixture[]) => people.map(({ address }) => address).toSorted();

/** A member continues with the relay's view. */
async function goOn(who: Follower): Promise<void> {
  expect(await who.problem(id)).toBe('roster_replaced');
  await who.groups.goOn(id);
  expect(await who.problem(id)).toBeNull();
}

/** Ann changes the group, all read it, and the relay rolls back. @returns the lost entries */
async function lose(...actions: Action[]): Promise<RosterEntry[]> {
  const backup = relay.entries.length;
  for (const action of actions) await maker.groups.change(id, () => action);
  for (const who of [maker, bens, ...others]) expect(await who.problem(id)).toBeNull();
  world.pass(MINUTE);
  return relay.entries.splice(backup);
}

test('a group with a lost removal continues after its owner and each member confirm', async () => {
  const [lost] = await lose({ kind: 'change', remove: [cat.address] });
  add(cat, { kind: 'leave' });
  const { length } = relay.entries;
  for (const who of [maker, bens]) expect(await who.problem(id)).toBe('roster_replaced');
  await refused(bens, 'roster_unconfirmed');
  expect(relay.entries, 'nobody gives up what they saw by themselves').toHaveLength(length);

  await goOn(maker);
  // Each person must decide.
  await goOn(bens);
  for (const who of [maker, bens]) {
    expect(who.known(id).state).toEqual(relay.state());
    expect(membersOf(who.known(id).state)).toEqual(addresses(ann, ben, dan));
    expect(who.journal.chains.whole(id)).toEqual(relay.entries);
  }
  // An entry of a lost chain causes no warning, from any sender.
  const hello = { groupId: id, roster: null, entries: [lost as RosterEntry] };
  await bens.groups.receiveHello(dan.address, hello);
  expect(await bens.problem(id)).toBeNull();
  await maker.groups.change(id, () => ({ kind: 'change', name: 'Runners' }));
  expect(await bens.problem(id)).toBeNull();
});

test('does not continue with a chain that readmits a removed reader before the next removal', async () => {
  await lose({ kind: 'change', remove: [cat.address] });
  add(dan, { kind: 'leave' });
  expect(await bens.problem(id)).toBe('roster_replaced');
  await refused(bens, 'roster_unconfirmed');

  maker.sent.spread.length = 0;
  maker.changes.length = 0;
  await goOn(maker);
  expect(maker.sent.spread, 'the others receive it').toEqual([relay.entries.at(-1)]);
  expect(maker.changes).toEqual([`-${dan.address}`]);
  expect(membersOf(relay.state())).toEqual(addresses(ann, ben));
  await goOn(bens);
});

test('a removed member cannot return by leaving and joining again', async () => {
  await lose({ kind: 'change', remove: [cat.address] });
  add(cat, { kind: 'leave' });
  add(cat, { kind: 'join' });
  add(dan, { kind: 'leave' });
  expect(await bens.problem(id)).toBe('roster_replaced');
  await refused(bens, 'roster_unconfirmed');
  await goOn(maker);
  expect(membersOf(relay.state())).toEqual(addresses(ann, ben));
  await expect(new Follower(world, cat).groups.join(id, {})).rejects.toMatchObject({
    code: 'roster_act_refused',
  });

  // A person whom the owner invites again can join, also for members who decide later.
  const ticket = await maker.groups.ticketFor(id, cat.address);
  world.pass(MINUTE);
  await new Follower(world, cat).groups.join(id, { ticket });
  await goOn(bens);
  expect(membersOf(bens.known(id).state)).toEqual(addresses(ann, ben, cat));
});

test('an unrelated change by the owner does not confirm a readmitted reader', async () => {
  await lose({ kind: 'change', remove: [cat.address] });
  // By a computer of Ann's that was offline when she removed Cat.
  add(ann, { kind: 'change', name: 'Runners' });
  expect(await bens.problem(id)).toBe('roster_replaced');
  await refused(bens, 'roster_unconfirmed');
});

test('signs other lost changes again, and keeps later ones', async () => {
  const link = { key: ann.devices[0].entry.key, expires: new Date(world.now + 86_400_000).toISOString() };
  await lose(
    { kind: 'change', join: 'invite', links: [link], description: 'On foot', name: 'Ramblers' },
    { kind: 'change', admins: [ben.address], uninvite: [cat.address], timer: 3_600 },
  );
  add(ann, { kind: 'change', name: 'Runners' });
  await goOn(maker);
  const { state } = maker.known(id);
  expect(state).toMatchObject({
    name: 'Runners',
    description: 'On foot',
    join: 'invite',
    links: [link],
    admins: [ben.address],
    timer: 3_600,
  });
  expect(Object.keys(state.uninvited)).toEqual([cat.address]);
  const { length } = relay.entries;
  await goOn(bens);
  expect(relay.entries, 'nothing has to be said twice').toHaveLength(length);
});

test('after a lost change of the password the old one admits no one', async () => {
  const joinKey = ben.devices[0].entry.key;
  add(ann, { kind: 'change', join: 'password', joinKey: cat.devices[0].entry.key });
  for (const who of [maker, bens]) expect(await who.problem(id)).toBeNull();
  const backup = relay.entries.length;
  add(ann, { kind: 'change', joinKey });
  for (const who of [maker, bens]) expect(await who.problem(id)).toBeNull();
  relay.entries.splice(backup);
  add(cat, { kind: 'leave' });
  await goOn(maker);
  expect(relay.state().join).toBe('invite');
});

test('an admin can confirm the chain for others, and a removed device cannot', async () => {
  await maker.groups.change(id, () => ({ kind: 'change', admins: [ben.address] }));
  const dans = new Follower(world, dan);
  others.push(dans);
  await lose({ kind: 'change', remove: [cat.address] });
  add(cat, { kind: 'leave' });
  add(ann, { kind: 'change', name: 'Stolen' }, 1);
  relay.published.set(ann.address, 2);
  for (const who of [bens, dans]) {
    await who.keys.refresh(ann.address);
    expect(await who.problem(id)).toBe('roster_replaced');
  }
  await refused(dans, 'roster_unconfirmed');
  await goOn(bens);
  await goOn(dans);
  expect(membersOf(dans.known(id).state)).toEqual(addresses(ann, ben, dan));
});

test('continues with a relay that shows the pinned chain', async () => {
  const lost = await lose({ kind: 'change', remove: [cat.address] });
  add(cat, { kind: 'leave' });
  expect(await bens.problem(id)).toBe('roster_replaced');
  await expect(bens.groups.change(id, () => ({ kind: 'leave' }))).rejects.toMatchObject({
    code: 'roster_replaced',
  });
  relay.entries.splice(-1, 1, ...lost);
  const before = bens.known(id).state;
  await bens.groups.goOn(id);
  expect(bens.known(id).state).toEqual(before);
  expect(await bens.problem(id)).toBeNull();
});

test('a group is the same after a restart, also after its chain was replaced', async () => {
  await lose({ kind: 'change', remove: [cat.address] });
  add(cat, { kind: 'leave' });
  await goOn(maker);
  const again = new Journal(null, world.now);
  for (const line of maker.journal.chains.entries()) again.chains.apply(JSON.parse(JSON.stringify(line)));
  expect(again.chains.find(id)?.state).toEqual(relay.state());
  expect(again.chains.hashAt(id, 6)).toBe(entryHash(relay.entries[5] as RosterEntry));
  expect(again.chains.after(id, 0)).toHaveLength(relay.entries.length);
});
