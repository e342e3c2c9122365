import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test } from 'vitest';
import { Contacts } from '../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../src/engine/cache/conversations.ts';
import { type Cache, eraseTraces, openCache } from '../../../src/engine/cache/database.ts';
import { Messages } from '../../../src/engine/cache/messages.ts';
import { migrations } from '../../../src/engine/cache/migrations.ts';
import { OutboxRows } from '../../../src/engine/cache/outbox-rows.ts';
import { temporaryFolder } from '../../support/engine.ts';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

test('what was written is there after the cache is opened again', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const first = openCache(folder.path, key);
  new Contacts(first).ensure(ADDRESS, 1);
  first.close();
  const second = openCache(folder.path, key);
  expect(new Contacts(second).find(ADDRESS)?.address).toBe(ADDRESS);
  second.close();
});

test('C10: no byte on disk shows what was written, and only the owner may read the file', () => {
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

test('C10, C19: a wrong key and a second process are told apart, in words, and change nothing', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  expect(() => openCache(folder.path, key)).toThrow('already running');
  db.close();
  expect(() => openCache(folder.path, randomBytes(32))).toThrow('the key does not fit');
  openCache(folder.path, key).close();
});

test('C10: a byte that was changed anywhere in the file is noticed', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  const { id } = new Conversations(db).ensure(new Contacts(db).ensure(ADDRESS, 1).id, 'accepted', 1);
  insertText(db, id, 'what nobody may change '.repeat(2_000));
  db.close();
  const file = join(folder.path, 'cache.db');
  const good = readFileSync(file);
  /** What SQLite says of every page: `ok`, what is wrong, or that it is none of its own. */
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

test('data of a newer version is left alone', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  db.pragma(`user_version = ${migrations.length + 1}`);
  db.close();
  expect(() => openCache(folder.path, key)).toThrow('newer version');
});

test('a cache from before groups keeps its conversations, messages and what waits in the outbox', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const old = new Database(join(folder.path, 'cache.db'));
  old.pragma(`cipher='chacha20'`);
  old.pragma(`key='raw:${key.toString('hex')}'`);
  old.exec(migrations[0] ?? '');
  old.pragma('user_version = 1');
  old.exec(`
    INSERT INTO contacts (id, address, handle, first_seen_at) VALUES (7, '${ADDRESS}', 'ann', 1), (8, '0x00', NULL, 1);
    INSERT INTO conversations (id, contact_id, state, unread, last_message_id, updated_at)
      VALUES (3, 7, 'accepted', 2, 5, 9), (4, 8, 'blocked', 0, NULL, 8);
    INSERT INTO messages (id, conversation_id, sender, uid, body, sent_at, stored_at, state, trust)
      VALUES (5, 3, '${ADDRESS}', x'01', '{"kind":"text","text":"hello"}', 1, 1, 'received', 'verified');
    INSERT INTO outbox (id, message_id, conversation_id, next_attempt_at) VALUES (1, 5, 3, 1);
    DELETE FROM conversations WHERE id = 4;`);
  old.close();

  const cache = openCache(folder.path, key);
  const conversations = new Conversations(cache);
  expect(conversations.list()).toMatchObject([
    {
      id: 3,
      state: 'accepted',
      unread: 2,
      partner: { kind: 'direct', peer: { address: ADDRESS, handle: 'ann' } },
      last: { body: '{"kind":"text","text":"hello"}' },
    },
  ]);
  expect(new OutboxRows(cache).heads()).toHaveLength(1);
  expect(new Messages(cache).get(5)).toMatchObject({ event: null, trust: 'verified' });
  expect(cache.pragma('foreign_key_check')).toEqual([]);
  expect(conversations.ensure(8, 'accepted', 10).id, 'an id is not used again').toBe(5);
  conversations.remove(3);
  expect(new Messages(cache).get(5), 'what belongs to a conversation goes with it').toBeNull();
  cache.close();
});

test('C10, V9: of a conversation that was deleted no word is left in the file or beside it', () => {
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

function insertText(db: Cache, conversationId: number, text: string): void {
  new Messages(db).insert({
    conversationId,
    sender: ADDRESS,
    uid: randomBytes(16),
    body: { id: 'x', sender: ADDRESS, sentAt: '', seq: 1, kind: 'text', peer: ADDRESS, text },
    sentAt: 1,
    storedAt: 1,
    state: 'received',
    trust: 'verified',
  });
}

/** Every page of a copy of the file, free ones too, as they are without the cipher. */
function pagesOf(folder: string, key: Buffer): string {
  const copy = join(folder, 'copy.db');
  copyFileSync(join(folder, 'cache.db'), copy);
  const db = new Database(copy);
  db.pragma("cipher='chacha20'");
  db.pragma(`key='raw:${key.toString('hex')}'`);
  db.pragma('journal_mode = DELETE');
  db.pragma("rekey=''");
  db.close();
  return readFileSync(copy, 'latin1');
}
