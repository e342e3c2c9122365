import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test, vi } from 'vitest';
import { Checkpoints } from '../../../src/relay/store/sqlite/checkpoints.ts';
import { openForReading, openForWriting } from '../../../src/relay/store/sqlite/database.ts';
import { temporaryFolder } from '../../support/engine.ts';

const ENTRY = new URL('../../../src/relay/store/sqlite/worker.ts', import.meta.url);
const LOG_PAGES = 256;

/**
 * A database whose checkpoints begin with a short log, and its writes.
 * @param thread its entry, and the file that it opens, by default the same
 */
function openWriter(folder: string, thread: { entry?: URL; path?: string } = {}) {
  const path = join(folder, 'relay.db');
  const database = openForWriting(path);
  database.exec('CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const failures: string[] = [];
  const checkpoints = new Checkpoints(database, {
    entry: ENTRY,
    path,
    ...thread,
    logPages: LOG_PAGES,
    onFailed: (reason) => failures.push(reason),
  });
  const insert = database.prepare('INSERT INTO entry (text) VALUES (?)');
  const measure = database.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  return {
    path,
    database,
    checkpoints,
    failures,
    /** The pages in the log, and those of them that are in the file too. */
    log: () => measure.get() ?? { log: 0, checkpointed: 0 },
    async write() {
      insert.run('x'.repeat(30_000));
      checkpoints.afterCommit();
      await nextTurn();
    },
  };
}

test('the log begins anew while writes continue, and loses none of them', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path);
  let written = 0;
  let longest = 0;
  for (let beginnings = 0; beginnings < 5; written++) {
    const before = writer.log().log;
    await writer.write();
    if (writer.log().log < before) beginnings++;
    longest = Math.max(longest, before);
  }
  expect(longest).toBeGreaterThanOrEqual(LOG_PAGES);
  expect(writer.database.pragma('integrity_check', { simple: true })).toBe('ok');
  await writer.checkpoints.close();
  writer.database.close();
  using reader = closing(openForReading(writer.path));
  expect(reader.database.prepare('SELECT count(*) FROM entry').pluck().get()).toBe(written);
});

test('a log below the limit is left alone', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path);
  while (writer.log().log < LOG_PAGES - 20) await writer.write();
  expect(writer.log().log).toBeLessThan(LOG_PAGES);
  expect(writer.log().checkpointed).toBe(0);
  await writer.checkpoints.close();
  writer.database.close();
});

test('pages that a reader needs stay in the log until it ends', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path);
  await writer.write();
  const reader = openForReading(writer.path);
  reader.exec('BEGIN');
  const count = reader.prepare('SELECT count(*) FROM entry').pluck();
  expect(count.get()).toBe(1);
  const seen = writer.log().log;
  while (writer.log().log < seen + 4 * LOG_PAGES) await writer.write();
  expect(writer.log().checkpointed).toBeLessThanOrEqual(seen);
  expect(count.get()).toBe(1);
  reader.close();
  while (writer.log().log >= seen + 4 * LOG_PAGES) await writer.write();
  await writer.checkpoints.close();
  writer.database.close();
});

test('a log that a reader has held begins anew soon after its end', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path);
  while (writer.log().log < LOG_PAGES - 20) await writer.write();
  const reader = openForReading(writer.path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM entry').get();
  const seen = writer.log().log;
  while (writer.log().log < LOG_PAGES) await writer.write();
  await vi.waitFor(() => expect(writer.log().checkpointed).toBe(seen), 10_000);
  // The part of the writer follows in one of these turns.
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
  reader.close();
  const held = writer.log().log;
  await writer.write();
  const { log } = await vi.waitFor(() => {
    const state = writer.log();
    expect(state.checkpointed).toBe(state.log);
    return state;
  }, 10_000);
  await writer.write();
  expect(log).toBeGreaterThan(held);
  expect(writer.log().log).toBeLessThan(held);
  await writer.checkpoints.close();
  writer.database.close();
});

test('close waits for the end of a checkpoint, and a copy of the files is complete', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path);
  let written = 0;
  for (; writer.log().log < LOG_PAGES; written++) await writer.write();
  await writer.checkpoints.close();
  // As a kill would leave them.
  for (const end of ['', '-wal']) copyFileSync(`${writer.path}${end}`, join(folder.path, `copy.db${end}`));
  writer.database.close();
  using copy = closing(new Database(join(folder.path, 'copy.db')));
  expect(copy.database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(copy.database.prepare('SELECT count(*) FROM entry').pluck().get()).toBe(written);
});

test('a checkpoint that fails is reported, and the log keeps its pages', async () => {
  using folder = temporaryFolder();
  const failing = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (request) => {
      if (request === 'close') parentPort.close();
      else parentPort.postMessage('SQLITE_IOERR_FSYNC: disk I/O error');
    });
  `;
  const entry = new URL(`data:text/javascript,${encodeURIComponent(failing)}`);
  const writer = openWriter(folder.path, { entry });
  while (writer.failures.length === 0) await writer.write();
  expect(writer.failures).toEqual(['SQLITE_IOERR_FSYNC: disk I/O error']);
  for (let more = 0; more < LOG_PAGES; more++) await writer.write();
  expect(writer.log().checkpointed).toBe(0);
  await writer.checkpoints.close();
  writer.database.close();
});

test('the log begins anew if the thread cannot start', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path, { path: join(folder.path, 'missing.db') });
  for (let beginnings = 0; beginnings < 2; ) {
    const before = writer.log().log;
    await writer.write();
    if (writer.log().log < before) beginnings++;
  }
  expect(writer.failures).toEqual([]);
  await writer.checkpoints.close();
  writer.database.close();
});

function closing(database: Database.Database) {
  return { database, [Symbol.dispose]: () => database.close() };
}
