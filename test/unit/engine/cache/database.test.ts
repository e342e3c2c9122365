import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import { type Cache, openCache } from '../../../../src/engine/cache/database.ts';
import { Messages } from '../../../../src/engine/cache/messages.ts';
import { migrations } from '../../../../src/engine/cache/migrations.ts';
import { OutboxRows } from '../../../../src/engine/cache/outbox-rows.ts';
import { eraseTraces, sync, withoutSync } from '../../../../src/engine/cache/write-ahead-log.ts';
import { pagesOf } from '../../../support/cache-pages.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

test('keeps data after the cache is opened again', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const first = openCache(folder.path, key);
  new Contacts(first).ensure(ADDRESS, 1);
  first.close();
  const second = openCache(folder.path, key);
  expect(new Contacts(second).find(ADDRESS)?.address).toBe(ADDRESS);
  second.close();
});

test('an existing cache is opened without a write, for one process', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  openCache(folder.path, key).close();
  const file = join(folder.path, 'cache.db');
  const before = readFileSync(file);
  const db = openCache(folder.path, key);
  expect(db.pragma('auto_vacuum', { simple: true })).toBe(2);
  expect(() => openCache(folder.path, key)).toThrow('already running');
  expect(readdirSync(folder.path).sort()).toEqual(['cache.db', 'cache.db-wal']);
  expect(statSync(join(folder.path, 'cache.db-wal')).size).toBe(0);
  expect(readFileSync(file).equals(before)).toBe(true);
  db.close();
});

test('C10: no byte on disk shows the data, and only the owner may read the file', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  new Contacts(db).ensure(ADDRESS, 1);
  for (const file of readdirSync(folder.path)) {
    const bytes = readFileSync(join(folder.path, file));
    expect(bytes.includes(ADDRESS)).toBe(false);
    expect(bytes.includes('SQLite format')).toBe(false);
  }
  expect(statSync(join(folder.path, 'cache.db')).mode & 0o777).toBe(0o600);
  db.close();
});

test('C10: every commit is synced', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const FULL = 2;
  expect(db.pragma('synchronous', { simple: true })).toBe(FULL);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test('commits of work that is repeated are not synced, and later ones are, also after a failure', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const synchronous = () => db.pragma('synchronous', { simple: true });
  expect(withoutSync(db, synchronous)).toBe(1);
  expect(synchronous()).toBe(2);
  expect(() =>
    withoutSync(db, () => {
      throw new Error('a failure');
    }),
  ).toThrow('a failure');
  expect(synchronous()).toBe(2);
  db.close();
});

test('a sync writes to the log, because a commit without a change is not synced', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const bytes = () => statSync(join(folder.path, 'cache.db-wal')).size;
  withoutSync(db, () => new Contacts(db).ensure(ADDRESS, 1));
  const before = bytes();
  db.transaction(() => undefined)();
  expect(bytes()).toBe(before);
  sync(db);
  expect(bytes()).toBeGreaterThan(before);
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  db.close();
});

test('a commit moves the log to the file only when it has more than 16 MiB', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  db.exec('CREATE TABLE written (bytes BLOB)');
  const add = (megabytes: number) =>
    db.prepare('INSERT INTO written VALUES (zeroblob(?))').run(megabytes * 1024 * 1024);
  const moved = () =>
    db.prepare<[], { checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').get()?.checkpointed ?? 0;
  add(12);
  expect(moved()).toBe(0);
  add(6);
  expect(moved()).toBeGreaterThan(4_000);
  db.close();
});

test('C10, C19: distinguishes a wrong key from a second process, without a change', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  expect(() => openCache(folder.path, key)).toThrow('already running');
  db.close();
  expect(() => openCache(folder.path, randomBytes(32))).toThrow('the key is wrong');
  openCache(folder.path, key).close();
});

test('C10: detects a changed byte anywhere in the file', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  const { id } = new Conversations(db).ensure(new Contacts(db).ensure(ADDRESS, 1).id, 'accepted', 1);
  insertText(db, id, 'what nobody may change '.repeat(2_000));
  db.close();
  const file = join(folder.path, 'cache.db');
  const good = readFileSync(file);
  /** Result of SQLite's integrity check: `ok`, the fault, or not a database. */
  const read = () => {
    try {
      const cache = openCache(folder.path, key);
      try {
        return cache.pragma('integrity_check', { simple: true });
      } finally {
        cache.close();
      }
    } catch (error) {
      return error;
    }
  };
  expect(read()).toBe('ok');
  for (let flip = 0; flip < 60; flip++) {
    const bad = Buffer.from(good);
    const at = Math.floor((flip / 60) * good.length) + 7;
    bad[at] = (bad[at] ?? 0) ^ (1 << (flip % 8));
    writeFileSync(file, bad);
    expect(read(), `byte ${at} of ${good.length}`).not.toBe('ok');
  }
  writeFileSync(file, good);
  expect(read()).toBe('ok');
});

test('does not change data of a newer version', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  db.pragma(`user_version = ${migrations.length + 1}`);
  db.close();
  expect(() => openCache(folder.path, key)).toThrow('newer version');
});

test('never reuses a conversation’s id, and deletes its data with it', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const [contacts, conversations, messages] = [new Contacts(db), new Conversations(db), new Messages(db)];
  const contact = contacts.ensure(ADDRESS, 1).id;
  const { id } = conversations.ensure(contact, 'accepted', 1);
  const message = insertText(db, id, 'hello');
  new OutboxRows(db).add(message, id, null, 1);
  conversations.remove(id);
  expect(messages.get(message)).toBeNull();
  expect(new OutboxRows(db).heads(null)).toEqual([]);
  expect(conversations.ensure(contact, 'accepted', 2).id).toBeGreaterThan(id);
  db.close();
});

test('never sends an entry for one relay to another, and delays nothing there', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const { id } = new Conversations(db).ensure(new Contacts(db).ensure(ADDRESS, 1).id, 'accepted', 1);
  const outbox = new OutboxRows(db);
  const relays = ['https://one.example', null, 'https://two.example'];
  const queued = relays.map((relay) => {
    const message = insertText(db, id, String(relay));
    outbox.add(message, id, relay, 1);
    return message;
  });
  for (const [index, relay] of relays.entries()) {
    expect(outbox.heads(relay).map(({ messageId }) => messageId)).toEqual([queued[index]]);
  }
  db.close();
});

test('finds a message by its sender and id through an index', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const { id } = new Conversations(db).ensure(new Contacts(db).ensure(ADDRESS, 1).id, 'accepted', 1);
  const uid = randomBytes(16);
  const message = insertText(db, id, 'to be named', uid);
  insertText(db, id, 'another');
  const messages = new Messages(db);
  expect(messages.find(id, ADDRESS, uid, '')?.id).toBe(message);
  expect(messages.find(id + 1, ADDRESS, uid, '')).toBeNull();
  const plan = db
    .prepare<[], { detail: string }>(
      "EXPLAIN QUERY PLAN SELECT * FROM messages WHERE sender = 'a' AND uid = x'00'",
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain('messages_by_sender (sender=? AND uid=?)');
  db.close();
});

test('C10, V9: leaves no word of a deleted conversation in the file or beside it', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  const conversations = new Conversations(db);
  const { id } = conversations.ensure(new Contacts(db).ensure(ADDRESS, 1).id, 'accepted', 1);
  const words = 'a word that nobody is to find again '.repeat(200);
  insertText(db, id, words);
  db.pragma('wal_checkpoint(TRUNCATE)');
  expect(pagesOf(folder.path, key), 'the search finds what is there').toContain('nobody is to find again');
  conversations.remove(id);
  eraseTraces(db);
  expect(statSync(join(folder.path, 'cache.db-wal')).size).toBe(0);
  expect(pagesOf(folder.path, key)).not.toContain('nobody is to find again');
  db.close();
});

function insertText(db: Cache, conversationId: number, text: string, uid = randomBytes(16)): number {
  return new Messages(db).insert({
    conversationId,
    sender: ADDRESS,
    uid,
    body: {
      id: 'x',
      sender: ADDRESS,
      sentAt: '2026-11-20T20:00:00.000Z',
      seq: 1,
      kind: 'text',
      peer: ADDRESS,
      text,
    },
    sentAt: 1,
    storedAt: 1,
    state: 'received',
    trust: 'verified',
  });
}
