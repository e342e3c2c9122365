/** Free space in the cache after a removal: it is returned to the disk in the background. */
import { expect, test, vi } from 'vitest';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import { type Cache, openCache } from '../../../../src/engine/cache/database.ts';
import { returnFreeSpace } from '../../../../src/engine/cache/free-space.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { openSearchCache } from '../../../support/search-cache.ts';
import { address, MEBIBYTE, receive, sizeOf } from './bounded-cache.ts';

const pragma = (db: Cache, name: string) => db.pragma(name, { simple: true }) as number;

/** Adds a chat with 12 MiB of texts, another message after it, and removes the chat. */
function removeLargeChat(db: Cache): number {
  const { id } = new Conversations(db).ensure(new Contacts(db).ensure(address(9), 1).id, 'accepted', 1);
  db.transaction(() => {
    for (let index = 0; index < 140; index++) receive(db, address(1), 'x'.repeat(88_000), index);
    receive(db, address(9), 'The last one stays', 1);
  })();
  db.prepare('DELETE FROM conversations WHERE id <> ?').run(id);
  return id;
}

test('the space of a removed chat is returned to the disk, without other losses', () => {
  using cache = openSearchCache();
  const id = removeLargeChat(cache.db);
  cache.context.eraseTraces();
  expect(sizeOf(cache.folder)).toBeGreaterThan(12 * MEBIBYTE);
  let slices = 0;
  while (cache.indexer.slice()) slices += 1;
  expect(slices).toBeGreaterThan(10);
  cache.context.eraseTraces();
  expect(sizeOf(cache.folder)).toBeLessThan(6 * MEBIBYTE);
  cache.db.close();
  const again = openCache(cache.folder, cache.key);
  expect(again.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(new Conversations(again).get(id)).not.toBeNull();
  expect(again.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(1);
  cache.db = again;
});

test('less than 4 MiB of free space is kept for later messages', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, Buffer.alloc(32, 1));
  db.exec('CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob(3900000)); DROP TABLE large');
  expect(returnFreeSpace(db)).toBe(false);
  expect(pragma(db, 'freelist_count')).toBeGreaterThan(900);
  db.close();
});

test('a disk without room for moved pages ends the work until the next look', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, Buffer.alloc(32, 1));
  db.exec('CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob(8000000)); DROP TABLE large');
  const full = vi.spyOn(db, 'exec').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  });
  expect(returnFreeSpace(db)).toBe(false);
  full.mockRestore();
  expect(returnFreeSpace(db)).toBe(true);
  db.close();
});
