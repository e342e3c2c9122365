import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Contacts } from '../../../src/engine/cache/contacts.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import { migrations } from '../../../src/engine/cache/migrations.ts';
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

test('no byte on disk shows what was written, and only the owner may read the file', () => {
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

test('every commit is synced', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const FULL = 2;
  expect(db.pragma('synchronous', { simple: true })).toBe(FULL);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test('a wrong key and a second process are told apart, in words, and change nothing', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  expect(() => openCache(folder.path, key)).toThrow('already running');
  db.close();
  expect(() => openCache(folder.path, randomBytes(32))).toThrow('the key does not fit');
  openCache(folder.path, key).close();
});

test('data of a newer version is left alone', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const db = openCache(folder.path, key);
  db.pragma(`user_version = ${migrations.length + 1}`);
  db.close();
  expect(() => openCache(folder.path, key)).toThrow('newer version');
});
