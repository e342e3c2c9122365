/**
 * Moves a relay from its file to PostgreSQL: all rows in the order of their keys, some in each transaction, so that
 * an interrupted move can continue after the last stored row. Then both are read again and compared.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { OperatorFailure } from '../operator/failure.ts';
import type { AuditVerdict } from '../store/operator-records.ts';
import { asSql } from '../store/postgres/connection.ts';
import { toFailure } from '../store/postgres/failures.ts';
import { finishMove } from '../store/postgres/moving.ts';
import { reasonOf } from '../store/postgres/primary.ts';
import { StoreUnavailable } from '../store/records.ts';
import { verifyChain } from '../store/sql/audit-chain.ts';
import { placeholders, writer } from '../store/sql/rows-at-once.ts';
import { noteMove } from '../store/sqlite/moved.ts';
import { lookForFiles, type MovedFiles } from './files.ts';
import { encodeRows, keyOf, lastPlace, type Place, pagesAfter, rowsBetween } from './rows.ts';
import { openSource, type Source } from './source.ts';
import type { Table } from './tables.ts';
import { openTarget, type Target } from './target.ts';

export interface MoveProgress {
  step: 'copy' | 'compare';
  table: string;
  /** Moved rows of the table. */
  rows: number;
  /** Number of rows in the table. */
  of: number;
}

export interface MoveOptions {
  /** The file. */
  from: string;
  /** The URL of the PostgreSQL database. */
  to: string;
  /** The relay's folder of files, if it has one. */
  blobs: string;
  now: number;
  /** Called after each page. */
  onProgress?: (progress: MoveProgress) => void | Promise<void>;
  /** Called at the start. */
  onBegin?: (begun: Target['begun']) => void;
}

export interface MovedTable {
  name: string;
  rows: number;
  /** SHA-256 of all rows, in hexadecimal. */
  digest: string;
}

/** The moved data; empty if the move was finished before. */
export interface Move {
  begun: Target['begun'];
  tables: MovedTable[];
  /** Of the copy; null if it was moved before. */
  audit: AuditVerdict | null;
  files: MovedFiles | null;
}

/**
 * Moves all rows, or continues an interrupted move. The file stays unchanged.
 * @throws OperatorFailure
 */
export async function moveDatabase(options: MoveOptions): Promise<Move> {
  using source = openSource(options.from);
  await using target = await openTarget(options.to, source).catch((error: unknown) => {
    throw asUnusable(error);
  });
  const { begun } = target;
  options.onBegin?.(begun);
  if (typeof begun === 'number') {
    noteMove(options.from, begun);
    return { begun, tables: [], audit: null, files: null };
  }
  try {
    const moved = await move(source, target.client, options);
    noteMove(options.from, options.now);
    return { begun, ...moved, files: await lookForFiles(source.database, options.blobs) };
  } catch (error) {
    throw asInterrupted(error);
  }
}

async function move(
  source: Source,
  client: pg.Client,
  { now, onProgress }: MoveOptions,
): Promise<Pick<Move, 'tables' | 'audit'>> {
  const counts = source.tables.map((table) => countRows(source, table));
  const reportRows = (step: MoveProgress['step'], index: number) => (rows: number) =>
    onProgress?.({ step, table: source.tables[index]?.name ?? '', rows, of: counts[index] ?? 0 });
  for (const [index, table] of source.tables.entries()) {
    await copyTable(source, client, table, reportRows('copy', index));
  }
  const tables: MovedTable[] = [];
  for (const [index, table] of source.tables.entries()) {
    const digest = await compareTable(
      source,
      client,
      table,
      counts[index] ?? 0,
      reportRows('compare', index),
    );
    tables.push({ name: table.name, rows: counts[index] ?? 0, digest });
  }
  const audit = await verifyChain(asSql(client));
  for (const table of source.tables) await continueKeys(client, table);
  await client.query('ANALYZE');
  await finishMove(client, now);
  return { tables, audit };
}

type OnRows = (rows: number) => void | Promise<void>;

async function copyTable(source: Source, client: pg.Client, table: Table, onRows: OnRows): Promise<void> {
  const { name, columns } = table;
  const sql = asSql(client);
  const insert = writer(
    sql,
    (rows) =>
      `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
       VALUES ${placeholders(rows, columns.length)}`,
  );
  const place = await lastPlace(sql, table);
  let rows = place ? countUpTo(source, table, place) : 0;
  for (const page of pagesAfter(source.database, table, place)) {
    await client.query('BEGIN');
    await insert(page);
    await client.query('COMMIT');
    rows += page.length;
    await onRows(rows);
  }
}

/** @returns a digest of the rows @throws OperatorFailure unless both are equal */
async function compareTable(
  source: Source,
  client: pg.Client,
  table: Table,
  count: number,
  onRows: OnRows,
): Promise<string> {
  const sql = asSql(client);
  const differs = () => new OperatorFailure('move_differs', { table: table.name });
  const digest = createHash('sha256');
  let [after, rows]: [Place, number] = [null, 0];
  for (const page of pagesAfter(source.database, table, null)) {
    const to = keyOf(table, page.at(-1) ?? []);
    const bytes = encodeRows(page);
    if (!encodeRows(await rowsBetween(sql, table, after, to)).equals(bytes)) throw differs();
    digest.update(bytes);
    [after, rows] = [to, rows + page.length];
    await onRows(rows);
  }
  const there = await sql.prepare<[], number>(`SELECT count(*) FROM ${table.name}`).pluck().get();
  if (rows !== count || there !== count) throw differs();
  return digest.digest('hex');
}

/** Continues the keys after those of the file: an assigned key is never assigned again. */
async function continueKeys(client: pg.Client, { name, key, lastKey }: Table): Promise<void> {
  if (lastKey === null || lastKey < 1) return;
  await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [name, key[0], lastKey]);
}

function countRows({ database }: Source, { name }: Table): number {
  return database.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get() ?? 0;
}

function countUpTo({ database }: Source, { name, key }: Table, place: readonly unknown[]): number {
  const marks = key.map(() => '?').join(', ');
  const sql = `SELECT count(*) FROM ${name} WHERE (${key.join(', ')}) <= (${marks})`;
  return (
    database
      .prepare<unknown[], number>(sql)
      .pluck()
      .get(...place) ?? 0
  );
}

function asUnusable(error: unknown): unknown {
  if (error instanceof OperatorFailure) return error;
  return new OperatorFailure('database_unusable', { reason: reasonOf(error) });
}

function asInterrupted(error: unknown): unknown {
  if (error instanceof OperatorFailure) return error;
  // The database has a row that is not from the file.
  if (error instanceof pg.DatabaseError && error.code?.startsWith('23')) {
    return new OperatorFailure('move_differs', { table: error.table ?? '' });
  }
  const failure = toFailure(error);
  if (failure instanceof StoreUnavailable) {
    return new OperatorFailure('move_interrupted', { reason: failure.message });
  }
  return failure;
}
