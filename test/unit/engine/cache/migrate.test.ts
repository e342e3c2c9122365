/** Migrations of large tables: their progress, kills in the middle, and a disk without room. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { MigrationProgress } from '../../../../src/bridge/shapes/lock-state.ts';
import { type Cache, openCache, openCacheInTurns } from '../../../../src/engine/cache/database.ts';
import { migrate } from '../../../../src/engine/cache/migrate.ts';
import { type Migration, migrations } from '../../../../src/engine/cache/migrations.ts';
import { addCountingMigration, addMessages, BYTES_PER_ROW } from '../../../support/counting-migration.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const list = migrations as Migration[];
const released = [...list];
const LOG_BYTES = 32 * 1024 * 1024;
const ROWS = 20_000;

beforeEach(() => void list.splice(0, list.length, ...released));
afterAll(() => void list.splice(0, list.length, ...released));

/** A cache with messages, made before the migration. */
function earlierCache(folder: string, key: Uint8Array, rows = ROWS): void {
  const db = openCache(folder, key);
  addMessages(db, rows);
  db.close();
  addCountingMigration();
}

/** Checks that each message was changed exactly once. */
function expectMigrated(db: Cache, rows = ROWS): void {
  const counts = db.prepare('SELECT changes, count(*) AS count FROM messages GROUP BY changes').all();
  expect(counts).toEqual([{ changes: 1, count: rows }]);
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  const names = db.prepare('SELECT name FROM sqlite_schema').pluck().all();
  expect(names).toContain('messages_by_changes');
  expect(names).not.toContain('migration_place');
}

async function openInTurns(folder: string, key: Uint8Array, signal = new AbortController().signal) {
  const progress: MigrationProgress[] = [];
  const db = await openCacheInTurns(folder, key, (each) => void progress.push(each), signal);
  return { db, progress };
}

test('reports the progress and the needed room of a migration', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const { db, progress } = await openInTurns(folder.path, key);
  if (!db) throw new Error('not opened');
  expectMigrated(db);
  db.close();
  expect(progress.length).toBeGreaterThanOrEqual(10);
  expect(progress.map(({ done }) => done)).toEqual(
    [...progress.map(({ done }) => done)].sort((a, b) => a - b),
  );
  expect(progress[0]?.total).toBe(2 * ROWS);
  expect(progress.at(-1)?.done).toBe(2 * ROWS);
  expect(new Set(progress.map(({ bytes }) => bytes))).toEqual(
    new Set([2 * ROWS * BYTES_PER_ROW + LOG_BYTES]),
  );
});

test('a new cache, and one without messages, show no progress', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  addCountingMigration();
  const created = await openInTurns(folder.path, key);
  expect(created.progress.filter(({ total }) => total > 0)).toEqual([]);
  created.db?.close();
  const again = await openInTurns(folder.path, key);
  expect(again.progress).toEqual([]);
  again.db?.close();
});

test('a stopped migration continues at its place', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const stop = new AbortController();
  const first: MigrationProgress[] = [];
  const db = await openCacheInTurns(
    folder.path,
    key,
    (each) => {
      first.push(each);
      if (first.length === 3) stop.abort();
    },
    stop.signal,
  );
  expect(db).toBe(null);
  const second = await openInTurns(folder.path, key);
  const before = first[2] as MigrationProgress;
  expect(second.progress[0]).toMatchObject({ total: 2 * ROWS, done: (before.done * 4) / 3 });
  expect(second.progress[0]?.bytes).toBe(before.bytes - before.done * BYTES_PER_ROW);
  if (!second.db) throw new Error('not opened');
  expectMigrated(second.db);
  second.db.close();
});

test('a cache in the middle of a migration is refused by an earlier version', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const stop = new AbortController();
  await openCacheInTurns(folder.path, key, () => stop.abort(), stop.signal);
  list.pop();
  expect(() => openCache(folder.path, key)).toThrow('newer version');
});

test.for([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('survives a kill after slice %i', async (slices) => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const process = startMigration(folder.path, key);
  let lines = 0;
  for await (const _ of createInterface({ input: process.stdout as NodeJS.ReadableStream })) {
    lines += 1;
    if (lines === slices) process.kill('SIGKILL');
  }
  expect(lines).toBeGreaterThanOrEqual(slices);
  const db = openCache(folder.path, key);
  expectMigrated(db);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
});

function startMigration(folder: string, key: Uint8Array): ChildProcess {
  const entry = fileURLToPath(new URL('../../../support/migration-process.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, folder, Buffer.from(key).toString('hex')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  void once(child, 'exit');
  return child;
}

test('a disk without room is reported with the needed room before anything is changed', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  list.pop();
  const db = openCache(folder.path, key);
  addCountingMigration();
  const before = db.prepare('SELECT sql FROM sqlite_schema').pluck().all();
  expect(() => [...migrate(db, () => 20_000_000)]).toThrow(
    'needs up to 36 MB of free disk space for the change, and 20 MB is free',
  );
  expect(db.prepare('SELECT sql FROM sqlite_schema').pluck().all()).toEqual(before);
  expect([...migrate(db, () => 36_000_000)].length).toBeGreaterThan(0);
  expectMigrated(db);
  db.close();
});

test('a disk that becomes full in the middle is reported with the room that the rest needs', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  list.pop();
  const db = openCache(folder.path, key);
  addCountingMigration();
  let free = 100_000_000;
  const run = migrate(db, () => free);
  run.next();
  run.next();
  free = 0;
  const full = vi.spyOn(db, 'transaction').mockImplementation(() => {
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  });
  expect(() => run.next()).toThrow('needs up to');
  full.mockRestore();
  free = 100_000_000;
  for (const _ of migrate(db, () => free));
  expectMigrated(db);
  db.close();
});

test('the stated room is enough: the file and its log grow by less', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const size = () =>
    ['cache.db', 'cache.db-wal'].reduce((sum, name) => sum + sizeOf(join(folder.path, name)), 0);
  const before = size();
  const { db, progress } = await openInTurns(folder.path, key);
  expect(size() - before).toBeLessThan(progress[0]?.bytes ?? 0);
  db?.close();
});

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
