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
import { withoutSync } from './write-ahead-log.ts';

type Cache = Database.Database;

/** Rows of a slice: about 20 ms. */
const SLICE_ROWS = 2_000;
/** Fewer rows are changed without a report: it would be visible for a moment only. */
const FEW_ROWS = 5 * SLICE_ROWS;
/** Bytes of the write-ahead log while rows are changed in slices: its limit, and the slice that exceeds it. */
const LOG_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1_000_000;

/**
 * The place of an interrupted update, in the table `migration_place`: from the first migration with rows until the end of the last
 * migration.
 */
interface Place {
  /** In the migration that `user_version` counts last: the number of its steps after its end. */
  step: number;
  after: number;
  /** Rows that the update has changed, in all its migrations. */
  done: number;
}

const START = { step: 0, after: 0 };

/** The next migration, as an index of the list, and the place in it; null if it has not begun. */
interface State {
  index: number;
  place: Place | null;
}

interface Work {
  /** Rows that the rest changes. Tables that are made on the way have none yet. */
  rows: number;
  /** Room on the disk that the rest needs: for its file and its log. */
  bytes: number;
}

/**
 * Applies the missing migrations, a slice at a time. The caller may stop between two slices: the next call continues there.
 * @param findFree bytes that are free on the disk
 * @returns a generator of the progress after each slice of large data
 * @throws Failure data_newer; data_no_room before anything is changed, or if the disk becomes full
 */
export function* migrate(db: Cache, findFree: () => number): Generator<MigrationProgress, void> {
  if (versionOf(db) > migrations.length) throw new Failure('data_newer');
  const { index: first, place } = stateOf(db);
  if (first === migrations.length) return;
  const ms = stopwatch();
  const work = planned(db, { index: first, place });
  const free = findFree();
  if (work.bytes > free) throw noRoom(work, free);
  try {
    let done = place?.done ?? 0;
    const total = done + work.rows;
    for (let index = first; index < migrations.length; index++) {
      const migration = migrations[index] ?? [];
      const begun = index === first ? place : null;
      if (!begun && migration.every((step) => typeof step === 'string')) {
        applyAtOnce(db, migration, index, done);
        continue;
      }
      for (done of continueAt(db, migration, begun ?? begin(db, index, done)))
        if (total > FEW_ROWS) yield { done, total: Math.max(done, total), bytes: work.bytes };
    }
    db.exec('DROP TABLE IF EXISTS migration_place');
  } catch (error) {
    if (isDiskFull(error)) {
      const [rest, free] = [planned(db, stateOf(db)), findFree()];
      if (rest.bytes > free) throw noRoom(rest, free);
    }
    throw error;
  }
  log('info', 'cache.migrated', { count: migrations.length - first, ms: ms() });
}

function noRoom({ bytes }: Work, free: number): Failure<'data_no_room'> {
  return new Failure('data_no_room', {
    needed: Math.ceil(bytes / MEGABYTE),
    free: Math.floor(free / MEGABYTE),
  });
}

function applyAtOnce(db: Cache, statements: readonly string[], index: number, done: number): void {
  db.transaction(() => {
    for (const sql of statements) db.exec(sql);
    if (hasTable(db, 'migration_place')) setPlace(db, { step: statements.length, after: START.after, done });
    db.pragma(`user_version = ${index + 1}`);
  })();
}

/** Begins a migration. From then on, an earlier version refuses the cache. */
function begin(db: Cache, index: number, done: number): Place {
  const place = { ...START, done };
  db.transaction(() => {
    if (!hasTable(db, 'migration_place')) {
      db.exec(`
        CREATE TABLE migration_place (step INTEGER NOT NULL, after INTEGER NOT NULL, done INTEGER NOT NULL) STRICT;
        INSERT INTO migration_place (step, after, done) VALUES (0, 0, 0)`);
    }
    setPlace(db, place);
    db.pragma(`user_version = ${index + 1}`);
  })();
  return place;
}

/** Applies the steps of a migration from a place on. @returns a generator of {@link Place.done} after each change */
function* continueAt(db: Cache, migration: Migration, from: Place): Generator<number, void> {
  let { done } = from;
  for (const [offset, step] of migration.slice(from.step).entries()) {
    const number = from.step + offset;
    if (typeof step !== 'string' && step.inSlices) {
      let place: Place | null = { step: number, after: offset === 0 ? from.after : START.after, done };
      for (place = slice(db, step, place); place; place = slice(db, step, place)) {
        done = place.done;
        yield done;
      }
      setPlace(db, { step: number + 1, after: START.after, done });
      continue;
    }
    const rows = typeof step === 'string' ? 0 : rowsAfter(db, step, START.after);
    done += rows;
    db.transaction(() => {
      db.exec(typeof step === 'string' ? step : step.sql);
      setPlace(db, { step: number + 1, after: START.after, done });
    })();
    if (rows > 0) yield done;
  }
}

/** Changes the next rows of a table. @returns the place after them; null if there are none */
function slice(db: Cache, { table, sql }: RowStep, { step, after, done }: Place): Place | null {
  const rows = db
    .prepare<[number, number], { last: number | null; count: number }>(
      `SELECT max(id) AS last, count(*) AS count FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?)`,
    )
    .get(after, SLICE_ROWS);
  if (rows?.last == null) return null;
  const { last } = rows;
  const place = { step, after: last, done: done + rows.count };
  // A power cut undoes the last slices together with their places.
  withoutSync(db, () =>
    db.transaction(() => {
      db.prepare(sql).run({ after, last });
      setPlace(db, place);
    })(),
  );
  return place;
}

function planned(db: Cache, { index: first, place }: State): Work {
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number;
  const pageSize = pragma('page_size');
  const logOfSlices = Math.min(LOG_BYTES, 2 * pragma('page_count') * pageSize);
  let [rows, fileBytes, logBytes] = [0, 0, 0];
  for (const [offset, steps] of migrations.slice(first).entries()) {
    const from = offset === 0 && place ? place : START;
    for (const [number, step] of steps.entries()) {
      if (typeof step === 'string' || number < from.step) continue;
      const left = rowsAfter(db, step, number === from.step ? from.after : START.after);
      const bytes = left * step.bytesPerRow;
      rows += left;
      fileBytes += bytes;
      // One transaction is in the log as a whole before it is in the file.
      if (left > 0) logBytes = Math.max(logBytes, step.inSlices ? logOfSlices : bytes);
    }
  }
  const inside = pragma('freelist_count') * pageSize;
  return { rows, bytes: logBytes + Math.max(0, fileBytes - inside) };
}

function rowsAfter(db: Cache, { table }: RowStep, after: number): number {
  if (!hasTable(db, table)) return 0;
  return db.prepare(`SELECT count(*) FROM ${table} WHERE id > ?`).pluck().get(after) as number;
}

function stateOf(db: Cache): State {
  const version = versionOf(db);
  if (!hasTable(db, 'migration_place')) return { index: version, place: null };
  const place = db.prepare<[], Place>('SELECT step, after, done FROM migration_place').get();
  return { index: version - 1, place: place ?? { ...START, done: 0 } };
}

function setPlace(db: Cache, { step, after, done }: Place): void {
  db.prepare('UPDATE migration_place SET step = ?, after = ?, done = ?').run(step, after, done);
}

function hasTable(db: Cache, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

function versionOf(db: Cache): number {
  return db.pragma('user_version', { simple: true }) as number;
}
