/**
 * Changes of groups and messages by removed devices: the listed ones, their undo, and their bounds.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../../../../src/engine/context.ts';
import type { EngineParts } from '../../../../src/engine/parts.ts';
import { answer } from '../../../../src/engine/procedures/answer-changes.ts';
import { openChanges } from '../../../../src/engine/views/device-changes.ts';
import { openGroupChanges, undoOf } from '../../../../src/engine/views/group-changes.ts';
import { keptChangeKey, keptMessagesKey } from '../../../../src/messaging/contents/kinds/own.ts';
import { NOTHING_NOTED } from '../../../../src/messaging/groups/chain-memory.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { foldRoster } from '../../../../src/protocol/roster/fold.ts';
import { pastEntryOf } from '../../../../src/protocol/roster/history.ts';
import { emptyRoster } from '../../../../src/protocol/roster/state.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';
import { storeOwnList } from '../../../support/own-devices.ts';
import { BEGINNING, contextOf, DAY, type How, RosterChain, rosterFixture } from '../../../support/rosters.ts';

const [ann, ben, cat] = [rosterFixture('ann', 0x10), rosterFixture('ben', 0x20), rosterFixture('cat', 0x30)];
const [HERE, THIEF, OTHER] = ann.devices.map(({ entry }) => entry.deviceId) as [string, string, string];
const NOW = BEGINNING + 10 * DAY;
const BY_THIEF: How = { device: 1 };

let account: CachedAccount;
let context: Context;
let now: number;
beforeEach(() => {
  now = NOW;
  account = openAccount(ann.address, () => now);
  ({ context } = account);
  account.db.pragma('synchronous = OFF');
});
afterEach(() => account[Symbol.asyncDispose]());

const list = (sequence: number, ...deviceIds: string[]) => storeOwnList(context, sequence, deviceIds);

/** A group of Ann's with Ben and Cat in it. */
function birds(nonce = 0x07): RosterChain {
  return new RosterChain([ann, ben, cat], ann, 'Birds', nonce)
    .add(ann, { kind: 'change', join: 'open' })
    .add(ben, { kind: 'join' })
    .add(cat, { kind: 'join' });
}

const fold = (chain: RosterChain) => {
  const { state, entries } = foldRoster(
    emptyRoster(chain.groupId),
    chain.entries,
    contextOf(chain.people, BEGINNING + 400 * DAY),
  );
  return {
    state,
    accepted: entries.map((each) => ({ entry: null, past: pastEntryOf(each), sets: each.sets })),
  };
};

function store(chain: RosterChain) {
  const { state, accepted } = fold(chain);
  const known = context.groups.find(chain.groupId)?.state.epoch ?? 0;
  return context.groups.advance(state, accepted.slice(known), ann.address);
}

const shown = () =>
  openChanges(context).map(({ mark, text, isSet, before }) => [mark, text ?? isSet, before]);

/** Receives a message that one of Ann's devices sent to someone. */
function arrive(text: string, { peer = ben.address, deviceId = THIEF } = {}): void {
  const body = { id: randomBytes(16).toString('base64url'), sender: ann.address, peer, kind: 'text', text };
  const signed = { ...body, sentAt: encodeTime(now), seq: 0 } as unknown as DirectBody;
  receive(context, ann.address, receivedDirect(signed, { receivedAt: now, deviceId }));
}

test('changes of a group by a removed device are listed while they are in effect', () => {
  list(1, HERE, THIEF);
  const chain = birds()
    .add(ann, { kind: 'change', name: 'Owls' }, BY_THIEF)
    .add(ann, { kind: 'change', admins: [ben.address] }, BY_THIEF)
    .add(ann, { kind: 'change', remove: [cat.address] }, BY_THIEF)
    .add(ann, { kind: 'change', unsignedBots: true }, BY_THIEF)
    .add(ann, { kind: 'change', description: 'A description' }, BY_THIEF);
  store(chain);
  expect(shown()).toEqual([]);
  list(2, HERE);
  expect(shown()).toEqual([
    ['groupText', true, null],
    ['groupUnsigned', true, null],
    ['groupMember', false, null],
    ['groupRole', 'admin', null],
    ['groupName', 'Owls', 'Birds'],
  ]);
  // Ben's own value, the former one by this device, and a departure end three of them.
  chain.add(ben, { kind: 'change', name: 'Bens birds' });
  chain.add(ann, { kind: 'change', unsignedBots: false });
  chain.add(ben, { kind: 'leave' });
  store(chain);
  expect(shown()).toEqual([
    ['groupText', true, null],
    ['groupMember', false, null],
  ]);
});

test('a device that sets a field of a group and sets it back has changed nothing', () => {
  list(1, HERE, THIEF);
  const chain = birds();
  for (const admins of [[ben.address], []]) chain.add(ann, { kind: 'change', admins }, BY_THIEF);
  for (const name of ['Owls', 'Birds']) chain.add(ann, { kind: 'change', name }, BY_THIEF);
  store(chain);
  list(2, HERE);
  expect(shown()).toEqual([]);
});

test('of several removed devices the value before all of them is restored', () => {
  list(1, HERE, THIEF, OTHER);
  const chain = birds().add(ann, { kind: 'change', name: 'Owls' }, { device: 1, at: BEGINNING + 600_000 });
  chain.add(ann, { kind: 'change', name: 'Crows' }, { device: 2, at: BEGINNING + 700_000 });
  store(chain);
  list(2, HERE, THIEF);
  expect(shown()).toEqual([['groupName', 'Crows', 'Owls']]);
  list(3, HERE);
  expect(shown()).toEqual([['groupName', 'Crows', 'Birds']]);
  // This device sets the same name: it is the person's.
  chain.add(ann, { kind: 'change', name: 'Crows' });
  store(chain);
  expect(shown()).toEqual([]);
});

test('a member whose ticket a removed device signed is listed', () => {
  list(1, HERE, THIEF);
  const chain = birds(0x09);
  const dan = rosterFixture('dan', 0x40);
  const joined = Object.assign(chain.copy(), { people: [...chain.people, dan] });
  store(joined.add(dan, { kind: 'join', ticket: joined.ticket(ann, dan, BY_THIEF) }));
  list(2, HERE);
  expect(shown()).toEqual([['groupMember', true, null]]);
  joined.add(dan, { kind: 'leave' });
  store(joined);
  expect(shown()).toEqual([]);
});

test('each change has the entry that undoes it, with the present rights of the person', () => {
  list(1, HERE, THIEF);
  const key = Buffer.alloc(32, 1).toString('base64url');
  const bot = { key, name: 'Feed' };
  const chain = birds()
    .add(ann, { kind: 'change', name: 'Owls', timer: 300, join: 'invite', unsignedBots: true }, BY_THIEF)
    .add(ann, { kind: 'change', admins: [ben.address] }, BY_THIEF)
    .add(ann, { kind: 'change', remove: [cat.address] }, BY_THIEF)
    .add(ann, { kind: 'change', bots: [bot] }, BY_THIEF)
    .add(ann, { kind: 'change', joinKey: key }, BY_THIEF);
  const { state } = store(chain);
  list(2, HERE);
  const listed = context.identity.listedDevices();
  const undone = openGroupChanges(context, listed, 200).map((open) => {
    const undo = undoOf(open, state, ann.address);
    const fields = undo && ('make' in undo ? undo.make(state) : undo);
    return [open.change.field.split('/')[0], fields];
  });
  expect(Object.fromEntries(undone)).toEqual({
    name: { kind: 'change', name: 'Birds' },
    timer: { kind: 'change', timer: 0 },
    join: { kind: 'change', join: 'open' },
    unsignedBots: { kind: 'change', unsignedBots: false },
    role: { kind: 'change', admins: [] },
    member: { invite: cat.address },
    bot: { kind: 'change', bots: [] },
    joinKey: null,
  });
  expect(openChanges(context).find(({ mark }) => mark === 'groupPassword')).toMatchObject({ undo: 'never' });
  // An undo of a value that changed meanwhile changes nothing.
  const name = openGroupChanges(context, listed, 200).find(({ change }) => change.field === 'name');
  const undo = name && undoOf(name, state, ann.address);
  expect(undo && 'make' in undo && undo.make({ ...state, name: 'Crows' })).toBeNull();
  // With the ownership the rights are lost; each is left to keep.
  store(chain.add(ann, { kind: 'change', creator: ben.address }, BY_THIEF));
  const lost = openChanges(context);
  expect(lost.find(({ mark, text }) => mark === 'groupRole' && text === 'creator')).toMatchObject({
    undo: 'never',
  });
  expect(lost.find(({ mark }) => mark === 'groupName')).toMatchObject({ undo: 'rights' });
});

test('undoing a new name of a bot, or end of a link, restores the previous one and removes neither', () => {
  list(1, HERE, THIEF);
  const [key, link] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64url')) as [string, string];
  const [end, later] = [NOW, NOW + DAY].map(encodeTime) as [string, string];
  const chain = birds()
    .add(ann, { kind: 'change', bots: [{ key, name: 'Feed' }], links: [{ key: link, expires: end }] })
    .add(ann, { kind: 'change', bots: [{ key, name: 'Bank' }] }, BY_THIEF)
    .add(ann, { kind: 'change', links: [{ key: link, expires: later }] }, BY_THIEF);
  const { state } = store(chain);
  list(2, HERE);
  expect(shown()).toEqual([
    ['groupLinkEnd', true, null],
    ['groupBotName', 'Bank', 'Feed'],
  ]);
  const undone = openGroupChanges(context, context.identity.listedDevices(), 200).map((open) => {
    const undo = undoOf(open, state, ann.address);
    return undo && 'make' in undo && undo.make(state);
  });
  expect(undone).toEqual([
    { kind: 'change', links: [{ key: link, expires: end }] },
    { kind: 'change', bots: [{ key, name: 'Feed' }] },
  ]);
});

test('unsigned posts that ended with the ownership are not listed as allowed', () => {
  list(1, HERE, THIEF);
  const chain = birds()
    .add(ann, { kind: 'change', unsignedBots: true }, BY_THIEF)
    .add(ann, { kind: 'change', creator: ben.address }, BY_THIEF);
  store(chain);
  list(2, HERE);
  expect(shown()).toEqual([['groupRole', 'creator', null]]);
});

test('a kept change stays answered until a removed device sets it again, or the answering device is removed', () => {
  list(1, HERE, THIEF, OTHER);
  const chain = birds().add(ann, { kind: 'change', name: 'Owls' }, BY_THIEF);
  const { groupId } = store(chain);
  list(2, HERE, OTHER);
  const key = keptChangeKey(groupId, 'name');
  const keep = (deviceId: string) => {
    const body = { id: randomBytes(16).toString('base64url'), sender: ann.address, peer: ann.address };
    const entries = [{ key, value: chain.state.hash }];
    const signed = { ...body, sentAt: encodeTime(now++), seq: 0, kind: 'own.set', entries };
    receive(
      context,
      ann.address,
      receivedDirect(signed as unknown as DirectBody, { receivedAt: now, deviceId }),
    );
  };
  // The removed device cannot answer for the person.
  keep(THIEF);
  expect(shown()).toEqual([['groupName', 'Owls', 'Birds']]);
  keep(OTHER);
  expect(shown()).toEqual([]);
  list(3, HERE);
  expect(shown()).toEqual([['groupName', 'Owls', 'Birds']]);
  context.own.set(key, chain.state.hash);
  expect(shown()).toEqual([]);
  store(chain.add(ann, { kind: 'change', name: 'Crows' }, BY_THIEF));
  expect(shown()).toEqual([['groupName', 'Crows', 'Birds']]);
});

test('a chain that replaces another one has its own changes', () => {
  list(1, HERE, THIEF);
  const chain = birds();
  const other = chain.copy().add(ann, { kind: 'change', description: 'Other' }, BY_THIEF);
  store(chain.add(ann, { kind: 'change', name: 'Owls' }, BY_THIEF));
  list(2, HERE);
  expect(shown()).toEqual([['groupName', 'Owls', 'Birds']]);
  const { state, accepted } = fold(other);
  context.groups.replace(state, accepted, NOTHING_NOTED, ann.address);
  expect(shown()).toEqual([['groupText', true, null]]);
});

test('a kept change does not answer for another one in its place in a chain that replaces this one', () => {
  list(1, HERE, THIEF);
  const chain = birds();
  const other = chain.copy().add(ann, { kind: 'change', name: 'Crows' }, BY_THIEF);
  const { groupId } = store(chain.add(ann, { kind: 'change', name: 'Owls' }, BY_THIEF));
  list(2, HERE);
  context.own.set(keptChangeKey(groupId, 'name'), chain.state.hash);
  expect(shown()).toEqual([]);
  const { state, accepted } = fold(other);
  context.groups.replace(state, accepted, NOTHING_NOTED, ann.address);
  expect(shown()).toEqual([['groupName', 'Crows', 'Birds']]);
});

test('messages of a removed device are counted in each chat, and those of other devices are not', () => {
  list(1, HERE, THIEF, OTHER);
  arrive('Before', { deviceId: OTHER });
  for (const text of ['One', 'Two']) arrive(text);
  arrive('Three', { peer: cat.address });
  list(2, HERE, OTHER);
  const counts = () => openChanges(context).map(({ mark, messages }) => [mark, messages?.count]);
  expect(counts()).toEqual([
    ['messages', 1],
    ['messages', 2],
  ]);
  const first = account.db
    .prepare<[], { id: number }>("SELECT id FROM messages WHERE body ->> '$.text' = 'One'")
    .get();
  expect(openChanges(context)[1]?.messages?.firstId).toBe(String(first?.id));
  context.own.set(keptMessagesKey(ben.address, THIEF), true);
  expect(counts()).toEqual([['messages', 1]]);
});

test('keeping the messages in many chats is one transaction', async () => {
  list(1, HERE, THIEF);
  const address = (index: number) => `0x${(index + 2 ** 40).toString(16).padStart(40, '0')}`;
  for (let index = 0; index < 60; index++) arrive('Hello', { peer: address(index) });
  list(2, HERE);
  const keys = openChanges(context).map(({ key }) => key);
  expect(keys).toHaveLength(60);
  const pages = () => (account.db.pragma('wal_checkpoint(NOOP)') as { log: number }[])[0]?.log ?? 0;
  const before = pages();
  const { changes } = await answer({ context } as EngineParts, keys, 'keep');
  expect(changes).toEqual([]);
  // A transaction for each would write some pages for each.
  expect(pages() - before).toBeLessThan(60);
});

test('the row of a group, which may have megabytes, is read once for its listed changes', () => {
  list(1, HERE, THIEF);
  store(
    birds()
      .add(ann, { kind: 'change', name: 'Owls', timer: 300, description: 'Owls' }, BY_THIEF)
      .add(ann, { kind: 'change', remove: [cat.address, ben.address] }, BY_THIEF),
  );
  list(2, HERE);
  using found = vi.spyOn(context.groups, 'find');
  expect(openGroupChanges(context, context.identity.listedDevices(), 200)).toHaveLength(5);
  expect(found).toHaveBeenCalledTimes(1);
});

test('more than 1,000 messages of a removed device are counted as more than 1,000', () => {
  list(1, HERE, THIEF);
  account.db.transaction(() => {
    for (let n = 0; n <= 1_000; n++) arrive(`Message ${n}`);
  })();
  list(2, HERE);
  expect(openChanges(context)).toMatchObject([{ messages: { count: 1_000, isMore: true } }]);
});

test('a flood of settings by a removed device hides neither its other changes nor those of another device', () => {
  list(1, HERE, THIEF, OTHER);
  arrive('Hello');
  store(birds().add(ann, { kind: 'change', name: 'Owls' }, { device: 2, at: BEGINNING + 600_000 }));
  const address = (index: number) => `0x${(index + 2 ** 40).toString(16).padStart(40, '0')}`;
  for (let page = 0; page < 10; page++) {
    const entries = Array.from({ length: 50 }, (_, place) => ({
      key: `nickname/${address(page * 50 + place)}`,
      value: 'Bank',
    }));
    const body = { id: randomBytes(16).toString('base64url'), sender: ann.address, peer: ann.address };
    const signed = { ...body, sentAt: encodeTime(now++), seq: 0, kind: 'own.set', entries };
    receive(
      context,
      ann.address,
      receivedDirect(signed as unknown as DirectBody, { receivedAt: now, deviceId: THIEF }),
    );
  }
  list(2, HERE);
  const changes = openChanges(context);
  expect(changes).toHaveLength(200);
  expect(changes.filter(({ mark }) => mark !== 'nickname').map(({ mark }) => mark)).toEqual([
    'groupName',
    'messages',
  ]);
});

test('the list reads changes and messages of removed devices by their indexes, not those of other devices', () => {
  list(1, HERE, THIEF);
  const chain = birds();
  for (let n = 0; n < 50; n++) chain.add(ann, { kind: 'change', description: `Description ${n}` });
  store(chain.add(ann, { kind: 'change', name: 'Owls' }, BY_THIEF));
  arrive('Hello');
  for (let n = 0; n < 50; n++) arrive(`Own ${n}`, { deviceId: HERE });
  list(2, HERE);
  const { db } = account;
  const statements: string[] = [];
  const prepare = db.prepare;
  db.prepare = ((sql: string) => {
    if (/FROM (messages WHERE|own_group_changes|faces WHERE device_id) /.test(sql)) statements.push(sql);
    return prepare.call(db, sql);
  }) as typeof prepare;
  expect(openChanges(context)).toHaveLength(2);
  db.prepare = prepare;
  expect(statements.length).toBeGreaterThanOrEqual(4);
  const steps = statements.flatMap((sql) => {
    const parameters = Array.from({ length: sql.split('?').length - 1 }, () => 0);
    return db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  });
  for (const { detail } of steps)
    expect(detail).toMatch(
      /SEARCH (messages|c|faces) USING .*INDEX (messages|own_group_changes|faces)_by_device|SEARCH (g|e) USING (INTEGER )?PRIMARY KEY/,
    );
});
