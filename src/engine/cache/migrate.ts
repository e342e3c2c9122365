/**
 * Applies migrations. Rows of large tables are changed in slices. Each slice is committed with its place, so that a killed
 * migration loses no work, and the person sees the progress.
 */

import type Database from 'better-sqlite3-multiple-ciphers';
import { Failure } from '../../base/failure.ts';
import { log, stopwatch } from '../../base/log.ts';
import { isDiskFull } from '../../base/node/disk-full.ts';
import type { MigrationProgress } from '../../bridge/shapes/lock-state.ts';
import { type Migration, migrations, type RowStep } from './migrations.ts';
import { sync, withoutSync } from './write-ahead-log.ts';

type Cache = Database.Database;

/** Rows of a slice: about 20 ms. */
const SLICE_ROWS = 2_000;
/** Bytes for the write-ahead log while rows are changed: its limit, and the slice that exceeds it. */
const LOG_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1_000_000;

/** The place of an interrupted migration, in the table `migration_place` while there is one. */
interface Place {
  step: number;
  after: number;
}

const START: Place = { step: 0, after: 0 };

/**
 * Applies the missing migrations, a slice at a time. The caller may stop between two slices: the next call continues there.
 * @param findFree bytes that are free on the disk
 * @returns a generator of the progress after each slice of a large table
 * @throws Failure data_newer, or data_no_room before anything is changed, or if the disk becomes full
 */
export function* migrate(db: Cache, findFree: () => number): Generator<MigrationProgress, void> {
  const version = versionOf(db);
  if (version > migrations.length) throw new Failure('data_newer');
  const place = placeOf(db);
  const first = place ? version - 1 : version;
  if (first === migrations.length) return;
  const ms = stopwatch();
  const work = planned(db, first, place ?? START);
  const requireRoom = () => {
    const free = findFree() + freeInside(db);
    if (work.bytes > free) {
      throw new Failure('data_no_room', {
        needed: Math.ceil(work.bytes / MEGABYTE),
        free: Math.floor(free / MEGABYTE),
      });
    }
  };
  requireRoom();
  try {
    let { done } = work;
    for (let index = first; index < migrations.length; index++) {
      const migration = migrations[index] ?? [];
      if (migration.every((step) => typeof step === 'string')) {
        applyAtOnce(db, migration, index);
        continue;
      }
      const from = index === first && place ? place : begin(db, index);
      for (const changed of continueAt(db, migration, from)) {
        done += changed;
        yield { done, total: Math.max(done, work.rows), bytes: work.bytes };
      }
      db.exec('DROP TABLE migration_place');
    }
    sync(db);
  } catch (error) {
    if (isDiskFull(error)) requireRoom();
    throw error;
  }
  log('info', 'cache.migrated', { count: migrations.length - first, ms: ms() });
}

function applyAtOnce(db: Cache, statements: readonly string[], index: number): void {
  db.transaction(() => {
    for (const sql of statements) db.exec(sql);
    db.pragma(`user_version = ${index + 1}`);
  })();
}

/** Begins a migration. From then on, an earlier version refuses the cache. */
function begin(db: Cache, index: number): Place {
  db.transaction(() => {
    db.exec('CREATE TABLE migration_place (step INTEGER NOT NULL, after INTEGER NOT NULL) STRICT');
    db.exec('INSERT INTO migration_place (step, after) VALUES (0, 0)');
    db.pragma(`user_version = ${index + 1}`);
  })();
  return START;
}

/** Applies the steps of a migration from a place on. @returns a generator of the number of rows that each slice has changed */
function* continueAt(db: Cache, migration: Migration, from: Place): Generator<number, void> {
  for (const [offset, step] of migration.slice(from.step).entries()) {
    const number = from.step + offset;
    const next = () => setPlace(db, number + 1, 0);
    if (typeof step !== 'string' && step.inSlices) {
      let after = offset === 0 ? from.after : 0;
      for (let rows = slice(db, step, number, after); rows; rows = slice(db, step, number, after)) {
        after = rows.last;
        yield rows.count;
      }
      next();
    } else {
      db.transaction(() => {
        db.exec(typeof step === 'string' ? step : step.sql);
        next();
      })();
      if (typeof step !== 'string') yield rowsAfter(db, step, 0);
    }
  }
}

/** Changes the next rows of a table. @returns null if there are none */
function slice(
  db: Cache,
  { table, sql }: RowStep,
  step: number,
  after: number,
): { last: number; count: number } | null {
  const rows = db
    .prepare<[number, number], { last: number | null; count: number }>(
      `SELECT max(id) AS last, count(*) AS count FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?)`,
    )
    .get(after, SLICE_ROWS);
  if (rows?.last == null) return null;
  const { last, count } = rows;
  // A power cut undoes the last slices together with their places.
  withoutSync(db, () =>
    db.transaction(() => {
      db.prepare(sql).run({ after, last });
      setPlace(db, step, last);
    })(),
  );
  return { last, count };
}

interface Work {
  /** Rows of all steps of the migrations, and those already changed. Tables that are made on the way have none yet. */
  rows: number;
  done: number;
  /** Additional bytes of the rest. */
  bytes: number;
}

/** @param place in the first migration */
function planned(db: Cache, first: number, place: Place): Work {
  const work = { rows: 0, done: 0, bytes: 0 };
  for (const [index, steps] of migrations.slice(first).entries()) {
    const from = index === 0 ? place : START;
    for (const [number, step] of steps.entries()) {
      if (typeof step === 'string') continue;
      const rows = rowsAfter(db, step, 0);
      const left = number < from.step ? 0 : number > from.step ? rows : rowsAfter(db, step, from.after);
      work.rows += rows;
      work.done += rows - left;
      work.bytes += left * step.bytesPerRow;
    }
  }
  if (work.rows > work.done) work.bytes += LOG_BYTES;
  return work;
}

function rowsAfter(db: Cache, { table }: RowStep, after: number): number {
  if (!hasTable(db, table)) return 0;
  return db.prepare(`SELECT count(*) FROM ${table} WHERE id > ?`).pluck().get(after) as number;
}

function placeOf(db: Cache): Place | null {
  if (!hasTable(db, 'migration_place')) return null;
  return db.prepare<[], Place>('SELECT step, after FROM migration_place').get() ?? null;
}

function setPlace(db: Cache, step: number, after: number): void {
  db.prepare('UPDATE migration_place SET step = ?, after = ?').run(step, after);
}

function hasTable(db: Cache, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

function versionOf(db: Cache): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Bytes of unused pages in the file. */
function freeInside(db: Cache): number {
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number;
  return pragma('freelist_count') * pragma('page_size');
}
