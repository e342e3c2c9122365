import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/engine/cache/database.ts';
import { Groups } from '../../../src/engine/cache/group-chains.ts';
import { MAX_WHOLE_ENTRIES } from '../../../src/messaging/groups/chain-memory.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { foldRoster } from '../../../src/protocol/roster/fold.ts';
import { pastEntryOf } from '../../../src/protocol/roster/history.ts';
import { emptyRoster } from '../../../src/protocol/roster/state.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { retainedBytes } from '../../support/memory.ts';
import { BEGINNING, contextOf, DAY, RosterChain, rosterFixture } from '../../support/rosters.ts';

const [ann, ben] = [rosterFixture('ann', 0x10), rosterFixture('ben', 0x20)];

/** Groups in a cache that is deleted after the test. */
function newGroups() {
  const folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  return {
    groups: new Groups(db),
    [Symbol.dispose]: () => {
      db.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Stores the whole chain at once, from Ben's view. */
function follow(groups: Groups, chain: RosterChain) {
  const { state, entries } = foldRoster(
    emptyRoster(chain.groupId),
    chain.entries,
    contextOf(chain.people, BEGINNING + 400 * DAY),
  );
  const accepted = entries.map((each, index) => {
    const entry = chain.entries[index];
    if (!entry) throw new Error('no entry');
    return { entry, past: pastEntryOf(each), sets: each.sets };
  });
  return groups.advance(state, accepted, ben.address);
}

test('stores a chain with its history and the membership of the person', () => {
  using cache = newGroups();
  const { groups } = cache;
  const chain = new RosterChain([ann, ben], ann).add(ann, { kind: 'change', join: 'open' });
  expect(follow(groups, chain).joined).toBe(false);
  using second = newGroups();
  chain.add(ben, { kind: 'join' });
  const group = follow(second.groups, chain);
  expect(group).toMatchObject({ joined: true, state: chain.state });
  expect([1, 2, 3, 4].map((epoch) => second.groups.hashAt(chain.groupId, epoch))).toEqual([
    ...[1, 2, 3].map((epoch) => chain.hashAt(epoch)),
    null,
  ]);
  expect(second.groups.after(chain.groupId, 2).map(({ body }) => body.by)).toEqual([ben.address]);
  const shut = { ...group.notes, stop: { why: 'shut' as const } };
  expect(second.groups.note(group, shut, ben.address).joined).toBe(false);
});

test('keeps the newest entries of a long chain whole and reads back through all', () => {
  using cache = newGroups();
  const chain = new RosterChain([ann, ben], ann);
  for (let n = 0; n < 150; n++) chain.add(ann, { kind: 'change', name: `Walkers ${n}` });
  follow(cache.groups, chain);
  expect(cache.groups.whole(chain.groupId)).toEqual(chain.entries.slice(-MAX_WHOLE_ENTRIES));
  const epochs = [...cache.groups.newestFirst(chain.groupId)].map(({ body }) => body.epoch);
  expect(epochs).toEqual(Array.from({ length: 151 }, (_, index) => 151 - index));
});

test('stores a pending message once and reports it overdue after its wait or beyond the limit', () => {
  using cache = newGroups();
  const { groups } = cache;
  const { id, groupId } = follow(groups, new RosterChain([ann, ben], ann));
  const hold = (n: number, size = 10) =>
    groups.addPending(id, {
      body: {
        id: encodeBase64Url(new Uint8Array(16).fill(n)),
        sender: ann.address,
        sentAt: encodeTime(BEGINNING),
        seq: n,
        kind: 'text',
        groupId,
        roster: { epoch: 9, hash: encodeBase64Url(new Uint8Array(32)) },
        text: 'x'.repeat(size),
      },
      proof: 'signed',
      isRequested: false,
      deviceId: null,
      digest: '',
      suite: 2,
      bot: null,
      receivedAt: BEGINNING,
    });
  hold(1);
  hold(1);
  expect(groups.pending(id)).toHaveLength(1);
  expect([groups.withOverdue(BEGINNING - 1), groups.withOverdue(BEGINNING)]).toEqual([[], [id]]);
  for (let n = 2; n < 140; n++) hold(n, 65_000);
  expect(groups.withOverdue(BEGINNING - 1)).toEqual([id]);
});

test('one state of a large group that strangers join and leave is in memory', () => {
  using cache = newGroups();
  const { groups } = cache;
  const chain = new RosterChain([ann, ben], ann);
  const person = { list: 1, since: null, joins: [], departed: BEGINNING, removed: false, signed: 2 };
  const people = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, place) => [`0x${place.toString(16).padStart(40, '0')}`, person]),
  );
  const grow = (epochs: number) => {
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const hash = encodeBase64Url(randomBytes(32));
      groups.advance({ ...chain.state, hash, people }, [], ben.address);
    }
    return retainedBytes();
  };
  const before = grow(1);
  expect(grow(50) - before).toBeLessThan(8 * 1024 * 1024);
});
