/** Migrations of large tables: their progress, kills in the middle, and a disk without room. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Failure } from '../../../../src/base/failure.ts';
import type { MigrationProgress } from '../../../../src/bridge/shapes/lock-state.ts';
import {
  CACHE_FILE,
  type Cache,
  openCache,
  openCacheInTurns,
} from '../../../../src/engine/cache/database.ts';
import { migrate } from '../../../../src/engine/cache/migrate.ts';
import { type Migration, migrations } from '../../../../src/engine/cache/migrations.ts';
import {
  addCountingMigration,
  addMessages,
  addMigration,
  BYTES_PER_ROW,
  INDEX_BYTES_PER_ROW,
  indexMigration,
  secondMigration,
} from '../../../support/counting-migration.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const list = migrations as Migration[];
const released = [...list];
const ROWS = 20_000;
const MIGRATION = fileURLToPath(new URL('../../../support/migration-process.ts', import.meta.url));

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

/** @param slices after which it is stopped; 0 for none */
async function openInTurns(folder: string, key: Uint8Array, slices = 0) {
  const progress: MigrationProgress[] = [];
  const stop = new AbortController();
  const onProgress = (each: MigrationProgress) => {
    progress.push(each);
    if (progress.length === slices) stop.abort();
  };
  const db = await openCacheInTurns(folder, key, onProgress, stop.signal);
  return { db, progress };
}

test('reports the progress and the needed room of a migration', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const logBytes = 2 * sizeOf(join(folder.path, CACHE_FILE));
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
  expect(new Set(progress.map(({ bytes }) => bytes))).toEqual(new Set([2 * ROWS * BYTES_PER_ROW + logBytes]));
});

test('a new cache, and one with few messages, show no progress', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  addCountingMigration();
  const created = await openInTurns(folder.path, key);
  expect(created.progress).toEqual([]);
  created.db?.close();
  const again = await openInTurns(folder.path, key);
  expect(again.progress).toEqual([]);
  again.db?.close();
  using other = temporaryFolder();
  list.pop();
  earlierCache(other.path, key, 3_000);
  const small = await openInTurns(other.path, key);
  expect(small.progress).toEqual([]);
  if (!small.db) throw new Error('not opened');
  expectMigrated(small.db, 3_000);
  small.db.close();
});

test('a stopped migration continues at its place', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const first = await openInTurns(folder.path, key, 3);
  expect(first.db).toBe(null);
  const second = await openInTurns(folder.path, key);
  const before = first.progress[2] as MigrationProgress;
  expect(second.progress[0]).toMatchObject({ total: 2 * ROWS, done: (before.done * 4) / 3 });
  expect(second.progress[0]?.bytes).toBeLessThan(before.bytes);
  if (!second.db) throw new Error('not opened');
  expectMigrated(second.db);
  second.db.close();
});

test('the progress of several migrations continues at its place after a stop in any of them', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const earlier = join(folder.path, 'earlier');
  earlierCache(earlier, key, 5_000);
  addMigration(['CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT']);
  addMigration(secondMigration);
  addMigration(['DROP TABLE other']);
  addMigration(indexMigration);
  const copyOf = (name: string) => {
    const path = join(folder.path, name);
    cpSync(earlier, path, { recursive: true });
    return path;
  };
  const whole = await openInTurns(copyOf('whole'), key);
  whole.db?.close();
  const bar = (progress: readonly MigrationProgress[]) =>
    progress.map(({ done, total }) => ({ done, total }));
  const last = { done: 4 * 5_000, total: 4 * 5_000 };
  expect(bar(whole.progress).at(-1)).toEqual(last);
  expect(whole.progress).toHaveLength(8);
  for (let slices = 1; slices <= 8; slices++) {
    const path = copyOf(`${slices}`);
    const first = await openInTurns(path, key, slices);
    expect(first.db).toBe(null);
    const second = await openInTurns(path, key);
    expect(bar([...first.progress, ...second.progress]), `${slices} slices`).toEqual(bar(whole.progress));
    if (!second.db) throw new Error('not opened');
    expectMigrated(second.db, 5_000);
    second.db.close();
  }
});

test('a cache in the middle of a migration is refused by an earlier version', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  await openInTurns(folder.path, key, 1);
  list.pop();
  expect(() => openCache(folder.path, key)).toThrow('newer version');
});

test.for([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])('survives a kill after slice %i', async (slices) => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key);
  const child = spawn(process.execPath, [MIGRATION, folder.path, key.toString('hex'), String(slices)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let last: MigrationProgress | null = null;
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = JSON.parse(line) as MigrationProgress;
    lines += 1;
    if (lines === slices) child.kill('SIGKILL');
  }
  expect(lines).toBe(slices);
  expect(await ended).toEqual([null, 'SIGKILL']);
  addMigration(indexMigration);
  const { db, progress } = await openInTurns(folder.path, key);
  expect(progress[0]?.done).toBeGreaterThan(last?.done ?? 0);
  expect(progress[0]?.total).toBe(last?.total);
  if (!db) throw new Error('not opened');
  expectMigrated(db);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
});

/** A cache of the earlier version that is open, and the room in bytes that its migration states. */
function openEarlier(folder: string): { db: Cache; needed: number } {
  const key = randomBytes(32);
  earlierCache(folder, key);
  list.pop();
  const db = openCache(folder, key);
  addCountingMigration();
  const needed = 2 * ROWS * BYTES_PER_ROW + 2 * sizeOf(join(folder, CACHE_FILE));
  return { db, needed };
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);

test('a disk without room is reported with the needed room before anything is changed', () => {
  using folder = temporaryFolder();
  const { db, needed } = openEarlier(folder.path);
  const before = db.prepare('SELECT sql FROM sqlite_schema').pluck().all();
  expect(() => [...migrate(db, () => needed - 1)]).toThrow(
    `needs up to ${megabytes(needed)} MB of free disk space for the change, and ${Math.floor((needed - 1) / 1e6)} MB is free`,
  );
  expect(db.prepare('SELECT sql FROM sqlite_schema').pluck().all()).toEqual(before);
  expect([...migrate(db, () => needed)].length).toBeGreaterThan(0);
  expectMigrated(db);
  db.close();
});

test('free space inside the file is room for rows, and not for the log', () => {
  using folder = temporaryFolder();
  const { db } = openEarlier(folder.path);
  db.exec('CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob(9000000)); DROP TABLE large');
  db.pragma('wal_checkpoint(TRUNCATE)');
  const log = 2 * sizeOf(join(folder.path, CACHE_FILE));
  expect(() => [...migrate(db, () => log - 1)]).toThrow(`needs up to ${megabytes(log)} MB`);
  expect([...migrate(db, () => log)].length).toBeGreaterThan(0);
  db.close();
});

test('a disk that becomes full in the middle is reported with the room that the rest needs', () => {
  using folder = temporaryFolder();
  const { db, needed } = openEarlier(folder.path);
  let free = needed;
  const run = migrate(db, () => free);
  for (let slices = 0; slices < 5; slices++) run.next();
  free = 1_000_000;
  const full = vi.spyOn(db, 'transaction').mockImplementation(() => {
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  });
  let reported: unknown;
  try {
    run.next();
  } catch (error) {
    reported = error;
  }
  full.mockRestore();
  expect(reported).toMatchObject({ code: 'data_no_room', parameters: { free: 1 } });
  expect((reported as Failure<'data_no_room'>).parameters.needed).toBeLessThan(megabytes(needed) + 1);
  free = needed;
  for (const _ of migrate(db, () => free));
  expectMigrated(db);
  db.close();
});

test('the stated room is enough for an index, and not much more than its file and log', () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  earlierCache(folder.path, key, 60_000);
  list.pop();
  const db = openCache(folder.path, key);
  addMigration(indexMigration);
  const size = () => sizeOf(join(folder.path, CACHE_FILE)) + sizeOf(join(folder.path, `${CACHE_FILE}-wal`));
  db.pragma('wal_checkpoint(TRUNCATE)');
  const before = size();
  const [progress] = [...migrate(db, () => Number.MAX_SAFE_INTEGER)];
  db.pragma('wal_checkpoint(PASSIVE)');
  expect(progress?.bytes).toBe(2 * 60_000 * INDEX_BYTES_PER_ROW);
  expect(size() - before).toBeLessThan(progress?.bytes ?? 0);
  expect(size() - before).toBeGreaterThan((progress?.bytes ?? 0) / 2);
  db.close();
});

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
