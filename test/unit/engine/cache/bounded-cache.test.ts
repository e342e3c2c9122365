/**
 * Limits of the data that strangers can store in the cache.
 */
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import { type Cache, openCache } from '../../../../src/engine/cache/database.ts';
import { GapRows } from '../../../../src/engine/cache/gaps.ts';
import { HERE, OwnRegisters } from '../../../../src/engine/cache/own-registers.ts';
import { Quarantine, type Refused } from '../../../../src/engine/cache/quarantine.ts';
import { MAX_OF_STRANGER, Seen } from '../../../../src/engine/cache/seen.ts';
import { Strangers } from '../../../../src/engine/cache/strangers.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { countedRows } from '../../../support/visited-rows.ts';
import { address, MEBIBYTE, receive, sizeOf } from './bounded-cache.ts';

const DAY = 86_400_000;

/** Stored form of a signed message of someone who is not accepted. */
const STRANGER = { isSigned: true, isStranger: true };

/** Refused envelopes of a page. */
function refusals(count: number, senderOf: (index: number) => string): Refused[] {
  return Array.from({ length: count }, (_, index) => ({
    envelopeId: randomBytes(32).toString('base64url'),
    sender: senderOf(index),
    why: { code: 'payload', parameters: { fault: 'fields' } },
    size: 87_000,
  }));
}

function countOf(db: Cache, table: string, where = '1'): number {
  return db.prepare<[], number>(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get() ?? 0;
}

test('keeps few facts about a stranger’s refused envelopes, for a limited time', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  const quarantine = new Quarantine(db);
  quarantine.add(
    refusals(1, () => address(1)),
    1,
  );
  // Many entries of one sender do not evict entries of others.
  for (let page = 0; page < 20; page++)
    quarantine.add(
      refusals(400, () => address(2)),
      10 + page,
    );
  expect(countOf(db, 'quarantine', `sender = '${address(2)}'`)).toBe(100);
  expect(countOf(db, 'quarantine', `sender = '${address(1)}'`)).toBe(1);
  // Many senders together do not exceed the total limit either.
  for (let page = 0; page < 20; page++)
    quarantine.add(
      refusals(400, (index) => address(index + 10)),
      50,
    );
  expect(countOf(db, 'quarantine')).toBe(1_000);
  expect(quarantine.codes()).toEqual([{ code: 'payload', count: 1_000 }]);
  quarantine.add(
    refusals(1, () => address(3)),
    50 + 31 * DAY,
  );
  expect(countOf(db, 'quarantine')).toBe(1);
  db.close();
  expect(sizeOf(folder.path)).toBeLessThan(2 * MEBIBYTE);
});

test('drops the oldest of many requests and acquaintances, and no contacts', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const contacts = new Contacts(db);
  const strangers = new Strangers(db);
  contacts.ensure(address(1), 1);
  const verified = { sentAt: encodeTime(1), id: randomBytes(16).toString('base64url') };
  new OwnRegisters(db).put(`verified/${address(1)}`, true, verified, false, HERE);
  contacts.ensure(address(2), 1);
  contacts.reserveSeq(address(2));
  receive(db, address(3), 'from a friend', 1);
  new Conversations(db).setState(new Conversations(db).list()[0]?.id ?? 0, 'accepted');
  for (let index = 0; index < 250; index++) receive(db, address(100 + index), 'hello', 10 + index);
  db.transaction(() => {
    for (let index = 0; index < 3_000; index++) contacts.ensure(address(1_000 + index), 1);
  })();
  expect(strangers.prune()).toHaveLength(50);
  expect(strangers.prune()).toEqual([]);
  const left = new Conversations(db).list();
  expect(left.filter(({ state }) => state === 'request')).toHaveLength(200);
  expect(left.some(({ partner }) => 'peer' in partner && partner.peer.address === address(349))).toBe(true);
  expect(left.some(({ partner }) => 'peer' in partner && partner.peer.address === address(100))).toBe(false);
  for (const known of [1, 2, 3]) expect(contacts.find(address(known))).not.toBeNull();
  expect(countOf(db, 'contacts')).toBeLessThan(1_300);
  db.close();
});

test('after a merge of many people and requests, each step deletes some of them', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const contacts = new Contacts(db);
  const strangers = new Strangers(db);
  for (let index = 0; index < 203; index++) receive(db, address(100 + index), 'hello', 10 + index);
  db.transaction(() => {
    for (let index = 0; index < 2_200; index++) contacts.ensure(address(1_000 + index), 1);
  })();
  const requests = () => new Conversations(db).list().length;
  const steps: [number, number][] = [];
  for (let hasMore = true; hasMore; ) {
    const before = [requests(), countOf(db, 'contacts')] as const;
    hasMore = strangers.pruneSome();
    steps.push([before[0] - requests(), before[1] - countOf(db, 'contacts')]);
  }
  // A deleted request leaves an acquaintance.
  expect(steps).toEqual([
    [1, 500],
    [1, 500],
    [1, 203],
    [0, 0],
  ]);
  expect(requests()).toBe(200);
  expect(countOf(db, 'contacts')).toBe(1_200);
  db.close();
});

test('a page of the inbox reads no members of large groups', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const contacts = new Contacts(db);
  const members = Array.from({ length: 2_000 }, (_, index) => address(index));
  db.transaction(() => {
    for (const member of members) contacts.ensure(member, 1);
  })();
  db.prepare(
    "INSERT INTO groups (group_id, hash, state, members, notes, joined) VALUES ('group', '', '{}', ?, '{}', 1)",
  ).run(JSON.stringify(members));
  const strangers = new Strangers(db);
  strangers.prune();
  expect(countOf(db, 'contacts')).toBe(2_000);
  contacts.ensure(address(5_000), 1);
  const [, rows] = countedRows(db).during(() => strangers.prune());
  expect(rows).toBeLessThan(100);
  db.close();
});

test('the members of large groups are read only if there are too many people, without a row for each', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const contacts = new Contacts(db);
  const strangers = new Strangers(db);
  const members = Array.from({ length: 2_000 }, (_, index) => address(index));
  db.prepare(
    "INSERT INTO groups (group_id, hash, state, members, notes, joined) VALUES ('group', '', '{}', ?, '{}', 1)",
  ).run(JSON.stringify(members));
  const sources: string[] = [];
  const prepare = db.prepare.bind(db);
  vi.spyOn(db, 'prepare').mockImplementation((source: string) => {
    sources.push(source);
    return prepare(source);
  });
  const add = (from: number, to: number) =>
    db.transaction(() => {
      for (let index = from; index < to; index++) contacts.ensure(address(index), 1);
    })();
  const readsOfMembers = () => sources.filter((source) => /\bmembers\b/.test(source));
  add(1_900, 2_500);
  strangers.prune();
  expect(readsOfMembers()).toEqual([]);
  add(2_500, 3_500);
  strangers.prune();
  expect(readsOfMembers()).toEqual([expect.not.stringContaining('json_each')]);
  // 100 members, and the newest of the others.
  expect(countOf(db, 'contacts')).toBe(1_100);
  db.close();
});

test('one message each from any number of strangers stores bounded data', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const strangers = new Strangers(db);
  const seen = new Seen(db);
  const gaps = new GapRows(db);
  const deviceId = 'AAAAAAAAAAAAAAAAAAAAAA';
  const follow = (person: string) =>
    gaps.save({
      ...{ conversation: person, address: person, deviceId, since: 0, isStranger: true },
      gaps: { base: 1, high: 1, missing: [] },
    });
  db.transaction(() => {
    for (let index = 1; index <= 3_000; index++) {
      receive(db, address(index), 'hi', index);
      follow(address(index));
      seen.add(address(index), randomBytes(16), STRANGER, index);
      if (index % 100 === 0) strangers.prune();
    }
  })();
  expect(countOf(db, 'messages')).toBe(200);
  expect(countOf(db, 'seen')).toBe(200);
  expect(countOf(db, 'contacts')).toBeLessThanOrEqual(1_200);
  // A receipt after a later acceptance must not cover a request that was dropped.
  expect(gaps.find(address(2_700), deviceId)).toBeNull();
  expect(gaps.find(address(2_900), deviceId)).not.toBeNull();
  db.close();
});

test('keeps only the newest messages of a stranger until they are accepted', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const seen = new Seen(db);
  receive(db, address(1), 'hi', 1);
  const uids = Array.from({ length: MAX_OF_STRANGER + 20 }, () => randomBytes(16));
  db.transaction(() => {
    for (const [index, uid] of uids.entries()) seen.add(address(1), uid, STRANGER, index);
    for (let index = 0; index < 12_000; index++)
      seen.add(address(2 + (index % 100)), randomBytes(16), STRANGER, 10_000 + index);
  })();
  expect(countOf(db, 'seen')).toBeLessThanOrEqual(10_100);
  seen.add(address(1), randomBytes(16), STRANGER, 50_000);
  const conversations = new Conversations(db);
  conversations.setState(conversations.list()[0]?.id ?? 0, 'accepted');
  expect(countOf(db, 'seen', `sender = '${address(1)}' AND stranger = 1`)).toBe(0);
  db.close();
});
