/**
 * Limits of the data that strangers can store in the cache.
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import { openCache } from '../../../../src/engine/cache/database.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { address, MEBIBYTE, receive, sizeOf } from './bounded-cache.ts';

test('opening a cache with much deleted data shrinks it without other losses', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  const { id } = new Conversations(db).ensure(new Contacts(db).ensure(address(9), 1).id, 'accepted', 1);
  db.transaction(() => {
    for (let index = 0; index < 400; index++) receive(db, address(1), 'x'.repeat(88_000), index);
  })();
  db.prepare('DELETE FROM conversations WHERE id <> ?').run(id);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  expect(sizeOf(folder.path)).toBeGreaterThan(30 * MEBIBYTE);

  const again = openCache(folder.path, key);
  expect(sizeOf(folder.path)).toBeLessThan(MEBIBYTE);
  expect(new Contacts(again).find(address(9))).not.toBeNull();
  expect(new Conversations(again).get(id)).not.toBeNull();
  again.close();
});

test('opening a large cache does not rewrite it', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  db.exec('CREATE TABLE written (bytes BLOB)');
  const add = (megabytes: number) =>
    db.prepare('INSERT INTO written VALUES (zeroblob(?))').run(megabytes * MEBIBYTE).lastInsertRowid;
  add(66);
  db.prepare('DELETE FROM written WHERE rowid = ?').run(add(30));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  openCache(folder.path, key).close();
  expect(sizeOf(folder.path)).toBeGreaterThan(96 * MEBIBYTE);
});
