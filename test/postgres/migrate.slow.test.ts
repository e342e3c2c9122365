/**
 * Moving a relay from its file to PostgreSQL.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MoveOptions, type MoveProgress, moveDatabase } from '../../src/relay/move/move.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { temporaryFolder } from '../support/engine.ts';
import { newPerson } from '../support/person.ts';
import { Population } from '../support/populated-relay.ts';
import { TestRelay } from '../support/relay.ts';
import { newEmptyDatabase } from '../support/relay-database.ts';
import { RunningCommand, waxwing } from '../support/waxwing-command.ts';

/** A stopped relay on its file, and its people with their earlier view. Each test has its own copy of the file. */
const relay = new TestRelay({ onFile: true, admin: true });
const file = join(relay.folder.path, 'relay.db');
const kept = `${file}.kept`;
let people: Population;
let seen: object;

beforeAll(async () => {
  await relay.start();
  people = await Population.at(relay);
  seen = await people.seen(relay);
  await relay.stop();
  using database = Object.assign(new Database(file), { [Symbol.dispose]: () => void database.close() });
  // Several pages of one table.
  database.exec(
    `INSERT INTO renewal WITH RECURSIVE times (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM times LIMIT 2500)
     SELECT 1, zeroblob(16), at FROM times`,
  );
  database.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(file, kept);
});
afterAll(() => relay[Symbol.asyncDispose]());
beforeEach(() => {
  for (const end of ['', '-wal', '-shm', '.moved']) rmSync(file + end, { force: true });
  copyFileSync(kept, file);
});

const target = newEmptyDatabase;

function move(from: string, to: string, more: Partial<MoveOptions> = {}) {
  return moveDatabase({ from, to, blobs: join(dirname(from), 'blobs'), now: 1_000, ...more });
}

/** A relay on PostgreSQL in place of the stopped one. */
function movedRelay(database: string): Promise<TestRelay> {
  const port = Number(new URL(relay.url).port);
  return new TestRelay({ database, dataDirectory: relay.folder.path, port }).start();
}

async function query<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

class Interruption extends Error {}

/** Makes a move stop after that many pages of a step. */
function after(pages: number, step: MoveProgress['step'] = 'copy'): Partial<MoveOptions> {
  let count = 0;
  return {
    onProgress(progress) {
      if (progress.step === step && ++count === pages) throw new Interruption();
    },
  };
}

test('a moved relay shows all earlier data, accepts messages, and issues no key twice', async () => {
  const url = await target();
  const moved = await move(file, url);
  expect(moved).toMatchObject({ begun: 'new', audit: { problem: null } });
  expect(moved.files).toMatchObject({ count: 1, inBucket: 0, missing: 0, broken: 0 });
  expect(moved.tables.find(({ name }) => name === 'envelope')?.rows).toBeGreaterThan(3);

  await using next = await movedRelay(url);
  expect(await people.seen(next)).toEqual(seen);
  await people.send(next, ['after the move']);
  const inbox = await people.ben.inbox();
  expect(people.ben.open(inbox.at(-1) as (typeof inbox)[number])).toBe('after the move');
  const database = new Database(file, { readonly: true });
  const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'account'").pluck().get();
  database.close();
  await newPerson(relay);
  const [newest] = await query<{ id: string }>(url, 'SELECT max(id) AS id FROM account');
  expect(Number(newest?.id)).toBeGreaterThan(Number(last));
});

test('a move that ends after any page continues there, with the same result', async () => {
  const url = await target();
  const seenPages = new Set<string>();
  let interruptions = 0;
  for (let isOver = false; !isOver; ) {
    let isFirst = true;
    const onProgress = ({ step, table, rows }: MoveProgress) => {
      if (step === 'compare') return;
      // Copied rows are not copied again.
      expect(seenPages).not.toContain(`${table} ${rows}`);
      seenPages.add(`${table} ${rows}`);
      if (isFirst) {
        isFirst = false;
        throw new Interruption();
      }
    };
    await move(file, url, { onProgress }).then(
      () => {
        isOver = true;
      },
      (error: unknown) => {
        expect(error).toBeInstanceOf(Interruption);
        interruptions++;
      },
    );
  }
  expect(interruptions).toBeGreaterThan(15);
  await using next = await movedRelay(url);
  expect(await people.seen(next)).toEqual(seen);
});

test('a killed move continues at its next start, and no relay starts meanwhile', async () => {
  const url = await target();
  const args = ['relay', 'migrate', '--from', file];
  const env = { WAXWING_DATABASE_URL: url };
  await expect(move(file, url, after(2))).rejects.toThrow(Interruption);

  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE sealed IN EXCLUSIVE MODE');
  await using killed = new RunningCommand(args, { env });
  const waiting = () =>
    query(
      url,
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
  await expect.poll(waiting).not.toEqual([]);
  expect(await waxwing(args, { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Another program has'),
  });
  killed.signal('SIGKILL');
  await killed.end();
  await blocker.end();

  const options = { url, queueBytes: 1e9, onWarning: () => undefined };
  await expect(openPostgresStore(options)).rejects.toMatchObject({ reason: 'move_unfinished' });
  const { code, stdout, stderr } = await waxwing(args, { env });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Continuing\.\n(?:.*\n)*Copied sealed/)]);
  expect(stdout).toMatch(
    /^Moved \d+ rows of \d+ tables.*\nThe audit log is whole: \d+ entries.*\nFiles: 1, .*, in \//,
  );
  await using next = await movedRelay(url);
  expect(await people.seen(next)).toEqual(seen);
});

test('a finished move is not repeated, and no relay starts on the old file', async () => {
  const url = await target();
  await move(file, url);
  const again = await waxwing(['relay', 'migrate', '--from', file, '--to', url, '--json']);
  expect([again.code, JSON.parse(again.stdout)]).toEqual([
    0,
    expect.objectContaining({ movedBefore: new Date(1_000).toISOString(), tables: [] }),
  ]);
  await expect(relay.start()).rejects.toMatchObject({ reason: 'database_moved' });
  rmSync(`${file}.moved`);
  await relay.start();
  await relay.stop();
});

test('a file written to since its move began is moved from the beginning', async () => {
  const url = await target();
  await expect(move(file, url, after(12))).rejects.toThrow(Interruption);
  await relay.start();
  const { ben } = people;
  const ids = (await ben.inbox()).map(({ id }) => id);
  await relay.call('acknowledge', { token: ben.token, body: { device: ben.device.id, ids } });
  const seenNow = await people.seen(relay);
  await relay.stop();
  expect(await move(file, url)).toMatchObject({ begun: 'restarted' });
  await using next = await movedRelay(url);
  expect(await people.seen(next)).toEqual(seenNow);
});

test('a foreign change of a copied row is found, and the move is not finished', async () => {
  const url = await target();
  await expect(move(file, url, after(1, 'compare'))).rejects.toThrow(Interruption);
  const changes = [
    ['sealed', "UPDATE sealed SET nonce = '\\x00' WHERE envelope_id = (SELECT max(envelope_id) FROM sealed)"],
    ['handle', "INSERT INTO handle SELECT id, 'more', 1, 0, 0 FROM account ORDER BY id DESC LIMIT 1"],
  ] as const;
  for (const [table, sql] of changes) {
    await query(url, sql);
    const again = move(file, url);
    await expect(again).rejects.toMatchObject({ reason: 'move_differs', parameters: { table } });
    const options = { url, queueBytes: 1e9, onWarning: () => undefined };
    await expect(openPostgresStore(options)).rejects.toMatchObject({ reason: 'move_unfinished' });
    await query(url, `DELETE FROM ${table}`);
  }
});

test('a move that cannot work is refused with instructions, and nothing is changed', async () => {
  await relay.start();
  const url = await target();
  await expect(move(file, url)).rejects.toMatchObject({ reason: 'move_source_busy' });
  await relay.stop();
  await expect(move(`${file}.none`, url)).rejects.toMatchObject({ reason: 'move_source_missing' });
  using folder = temporaryFolder();
  await expect(move(folder.path, url)).rejects.toMatchObject({ reason: 'move_source_folder' });
  const other = join(folder.path, 'other.db');
  writeFileSync(other, 'not a database, whatever its name says'.repeat(100));
  await expect(move(other, url)).rejects.toMatchObject({ reason: 'move_source_unknown' });
  const change = (sql: string) => {
    copyFileSync(file, other);
    const database = new Database(other);
    database.exec(sql);
    database.close();
  };
  change('PRAGMA user_version = 99');
  await expect(move(other, url)).rejects.toMatchObject({ reason: 'database_newer' });
  change('PRAGMA user_version = 0');
  await expect(move(other, url)).rejects.toMatchObject({ reason: 'move_source_unknown' });
  change('ALTER TABLE blob_usage DROP COLUMN unfinished');
  await expect(move(other, url)).rejects.toMatchObject({
    reason: 'move_table_unlike',
    parameters: { table: 'blob_usage' },
  });
  expect(await query(url, "SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL")).toEqual([]);

  const lost = move(file, 'postgres://relay:secret@127.0.0.1:1/relay');
  await expect(lost).rejects.toMatchObject({ reason: 'database_unusable' });
  await expect(lost).rejects.not.toThrow('secret');
  const { store, jobs } = await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  // Also while the jobs of a running relay run.
  await jobs.tryRun(async () => {
    await expect(move(file, url)).rejects.toMatchObject({ reason: 'move_target_taken' });
  });
  await store.close();
  expect(existsSync(`${file}.moved`)).toBe(false);
});

test('missing files are counted', async () => {
  const blobs = join(relay.folder.path, 'blobs');
  const empty = join(relay.folder.path, 'empty');
  mkdirSync(empty);
  const found = async (folder: string) => (await move(file, await target(), { blobs: folder })).files;
  expect(await found(blobs)).toMatchObject({ count: 1, folder: blobs, missing: 0 });
  expect(await found(empty)).toMatchObject({ count: 1, folder: empty, missing: 1 });
  expect(await found(join(empty, 'none'))).toMatchObject({ count: 1, folder: null, missing: 1 });
});
