/** Groups in a history, which a thief of a computer can write: the relay's chain decides, from its first entry. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RelayApi } from '../../../../src/client/api.ts';
import { AppGroups } from '../../../../src/engine/app-groups.ts';
import type { StoredGroup } from '../../../../src/engine/cache/group-chains.ts';
import { Directory } from '../../../../src/engine/directory.ts';
import { HistoryMerge, numberingFor, OWN_HISTORY } from '../../../../src/engine/history/merge.ts';
import { toGroup } from '../../../../src/engine/views/conversations.ts';
import { type GroupNotes, NOTHING_NOTED } from '../../../../src/messaging/groups/chain-memory.ts';
import { RelayRefusal } from '../../../../src/messaging/relay.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { entryHash } from '../../../../src/protocol/roster/entry.ts';
import type { RosterEntry } from '../../../../src/protocol/roster/forms.ts';
import { nextEntry } from '../../../../src/protocol/roster/making.ts';
import { membersOf, type RosterState } from '../../../../src/protocol/roster/state.ts';
import { type CachedAccount, openAccount } from '../../../support/cached-account.ts';
import { Follower, GroupWorld } from '../../../support/followers.ts';
import { recordsOf } from '../../../support/history.ts';
import { DAY, MINUTE, rosterFixture, signerOf } from '../../../support/rosters.ts';

const [ann, ben, thief] = [
  rosterFixture('ann', 0x10),
  rosterFixture('ben', 0x20),
  rosterFixture('dan', 0x40),
];

let world: GroupWorld;
let id: string;
let resources: AsyncDisposableStack;
let account: CachedAccount;
let groups: AppGroups;
/** Ids of the groups that the relay lists as Ben's. */
let listed: string[];
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  world = new GroupWorld([ann, ben, thief]);
  const maker = new Follower(world, ann);
  const made = await maker.groups.create({
    name: 'Walkers',
    description: '',
    join: { mode: 'open' },
    listed: true,
  });
  id = made.group.groupId;
  listed = [id];
  await new Follower(world, ben).groups.join(id, {});
  world.pass(MINUTE);
  await maker.groups.change(id, () => ({ kind: 'change', name: 'Hikers' }));
  account = resources.use(openAccount(ben.address, () => world.now));
  groups = groupsOf(account);
});
afterEach(() => resources.disposeAsync());

function groupsOf({ context }: CachedAccount): AppGroups {
  const source = Object.assign(Object.create(world.relay), {
    groups: async () => listed.map((each) => ({ id: each })),
    appendEntry: (groupId: string, entry: RosterEntry) =>
      world.relay.appendEntry(groupId, entry, ben.address),
  });
  const relay = source as RelayApi;
  return new AppGroups({
    ...{ context, relay, own: ben.address },
    directory: new Directory(context, relay, ben.address),
    signer: () => signerOf(ben, 1),
    renewSigner: async () => undefined,
    talk: () => null,
    onJoined: () => undefined,
    onChanged: () => undefined,
  });
}

/** Merges the history of another computer of Ben's with this state of the group. */
async function mergeState(change: Partial<RosterState>, notes: Partial<GroupNotes> = {}): Promise<void> {
  await using source = openAccount(ben.address, () => world.now);
  const { context } = source;
  const group = context.groups.advance({ ...world.relay.state(), ...change }, [], ben.address);
  context.groups.fetched(group, world.now, true);
  context.groups.note(group, { ...NOTHING_NOTED, ...notes, acceptedUpTo: 1_000 }, ben.address);
  context.conversations.ensureForGroup(group.id, world.now);
  const merge = new HistoryMerge(account.context, ben.address, numberingFor(account.context, 0), OWN_HISTORY);
  merge.merge(recordsOf(context));
}

function stored(): StoredGroup {
  const group = account.context.groups.find(id);
  if (!group) throw new Error('the group is not known');
  return group;
}

const shown = () => toGroup(account.context.contacts, stored(), null, ben.address);

/** The reason why nothing is sent to the group, after a read; null if sending is possible. */
const problem = () =>
  groups.now(id, DAY).then(
    () => null,
    (error: unknown) => (error as { code: string }).code,
  );

test('a false creator with the true hash of the chain is never accepted', async () => {
  const people = { ...world.relay.state().people };
  people[thief.address] = { list: 1, since: 1, joins: [], departed: null, removed: false, signed: 1 };
  await mergeState({ creator: thief.address, admins: [thief.address], people, memberCount: 3 });
  expect(stored()).toMatchObject({ joined: false, verified: false });
  expect(stored().state).toMatchObject({ creator: null, admins: [], people: {}, name: 'Hikers' });
  expect(account.context.own.find(id), 'the chat is shown').not.toBeNull();
  expect(shown()).toMatchObject({ joined: false, isLoading: true });

  await groups.sync();
  expect(shown()).toMatchObject({ joined: true, isLoading: false });
  expect(stored().state).toEqual(world.relay.state());
  expect(stored()).toMatchObject({ joined: true, verified: false, notes: NOTHING_NOTED });
  expect(await problem()).toBeNull();
  const chat = account.context.own.find(id)?.id ?? 0;
  expect(account.context.timelines.before(chat, null, 10), 'nobody joined now').toEqual([]);
});

test.each([
  ['another entry', { epoch: 2 }],
  ['more entries than the relay', { epoch: 9 }],
])('a history that names %s stops sending until the person continues', async (_name, change) => {
  await mergeState({ ...change, hash: entryHash(world.relay.entries[0] as never) });
  await groups.sync();
  expect(membersOf(stored().state)).toEqual([ann, ben].map(({ address }) => address).toSorted());
  expect(await problem()).toBe('roster_replaced');
  await groups.goOn(id);
  expect(await problem()).toBeNull();
});

test('a relay that shows less than another computer knew is accepted once it shows the rest', async () => {
  await mergeState({});
  world.relay.shownUpTo = 2;
  await groups.sync();
  expect(await problem()).toBe('roster_replaced');
  world.relay.shownUpTo = Number.POSITIVE_INFINITY;
  expect(await problem()).toBeNull();
  expect(stored().state).toEqual(world.relay.state());
});

test.each([
  [403, 'not_a_member'],
  [404, 'not_found'],
])('a group that the relay denies with %i %s does not load forever', async (status, code) => {
  await mergeState({});
  const { group, roster } = world.relay;
  const deny = async () => {
    throw new RelayRefusal(status, code, '');
  };
  Object.assign(world.relay, { group: deny, roster: deny });
  await groups.look(id);
  expect(shown()).toMatchObject({ joined: false, isLoading: false, problem: null });

  Object.assign(world.relay, { group, roster });
  await groups.look(id);
  expect(shown()).toMatchObject({ joined: true, isLoading: false, problem: null });
  expect(stored().notes).toEqual(NOTHING_NOTED);
});

test('a restored group that the relay does not list is checked without opening its chat', async () => {
  await mergeState({});
  listed = [];
  await groups.sync();
  expect(shown()).toMatchObject({ joined: true, isLoading: false, problem: null });
});

test.each([
  [403, 'not_a_member', ['group', 'roster']],
  [404, 'not_found', ['group', 'roster']],
  [403, 'not_a_member', ['roster']],
  [404, 'not_found', ['roster']],
])(
  'a restored group that is not listed and denied with %i %s for its %j is shown as left',
  async (status, code, calls) => {
    await mergeState({});
    listed = [];
    let denials = 0;
    for (const call of calls)
      Object.assign(world.relay, {
        [call]: async () => {
          denials += 1;
          throw new RelayRefusal(status, code, '');
        },
      });
    await groups.sync();
    expect(shown()).toMatchObject({ joined: false, isLoading: false, problem: null });
    expect(denials).toBeGreaterThan(0);

    denials = 0;
    await groups.sync();
    expect(denials, 'it is not checked again').toBe(0);
  },
);

test('a restored group loads until a busy relay answers', async () => {
  await mergeState({});
  listed = [];
  const { group } = world.relay;
  const isBusy = async () => {
    throw new RelayRefusal(503, 'unavailable', '');
  };
  Object.assign(world.relay, { group: isBusy });
  await expect(groups.sync()).rejects.toThrow(RelayRefusal);
  expect(shown()).toMatchObject({ joined: false, isLoading: true, problem: null });

  Object.assign(world.relay, { group });
  await groups.sync();
  expect(shown()).toMatchObject({ joined: true, isLoading: false });
});

test('restored groups that cannot be read are checked four at a time, and hide no others', async () => {
  const { hash } = world.relay.state();
  const pin = { epoch: 1, hash: hash ?? '', joined: true };
  const ids = Array.from({ length: 250 }, (_, index) => encodeBase64Url(new Uint8Array(32).fill(index)));
  for (const groupId of ids)
    account.context.groups.addUnproven({ groupId, name: 'Former' }, { ...NOTHING_NOTED, pin }, ben.address);
  listed = [];
  const requested = new Set<string>();
  let [running, most] = [0, 0];
  Object.assign(world.relay, {
    async group(groupId: string) {
      requested.add(groupId);
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      throw new RelayRefusal(422, 'malformed', '');
    },
  });
  await groups.sync();
  expect(requested.size).toBe(200);
  expect(most).toBe(4);
  await groups.sync();
  expect(requested).toEqual(new Set(ids));
});

test('a group whose chain cannot be read shows the reason while it loads', async () => {
  await mergeState({});
  const [first] = world.relay.entries.splice(0, 1);
  await groups.look(id);
  expect(shown()).toMatchObject({ joined: false, isLoading: true, problem: { code: 'roster_broken' } });

  world.relay.entries.unshift(first as never);
  await groups.look(id);
  expect(shown()).toMatchObject({ joined: true, isLoading: false, problem: null });
});

test.each(['missing', 'split'])(
  'a change signed by a removed computer, noted in a history as %s, does not stop sending',
  async (note) => {
    const maker = new Follower(world, ann);
    await maker.groups.change(id, () => ({ kind: 'change', admins: [ben.address] }));
    const at = world.now + MINUTE;
    const missing = nextEntry(
      world.relay.state(),
      signerOf(ben, 1, 1),
      { kind: 'change', name: 'Theirs' },
      at,
    );
    world.pass(2 * MINUTE);
    world.relay.published.set(ben.address, 2);
    await mergeState({}, { [note]: missing });
    await groups.sync();
    expect(await problem()).toBeNull();
    expect(stored().state.name).toBe('Hikers');
  },
);

test('proof in a history that the relay shows two chains stops sending', async () => {
  const other = nextEntry(
    world.relay.state(),
    signerOf(ann, 1),
    { kind: 'change', name: 'Theirs' },
    world.now + MINUTE,
  );
  world.pass(2 * MINUTE);
  await new Follower(world, thief).groups.join(id, {});
  await mergeState({}, { split: other });
  await groups.sync();
  expect(await problem()).toBe('roster_split');
});

test('the entry of a history is passed on in the next one', async () => {
  await mergeState({});
  const [passedOn] = recordsOf(account.context).filter(({ type }) => type === 'group');
  const { epoch, hash } = world.relay.state();
  expect(passedOn).toMatchObject({ groupId: id, name: 'Hikers', pin: { epoch, hash, joined: true } });
});
