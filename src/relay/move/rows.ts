/**
 * Rows of a table in the order of its key, some at a time, from either engine.
 */
import type { Database as SqlDatabase, SqlValue } from '../store/sql/database.ts';
import type { Row } from '../store/sql/rows-at-once.ts';
import type { Database } from '../store/sqlite/database.ts';
import type { Table } from './tables.ts';

/** The approximate size of rows in memory at a time. */
const PAGE_BYTES = 1024 * 1024;
const PAGE_ROWS = 1_000;

/** A key, or null before the first. */
export type Place = Row | null;

/** The rows of a file after a position. */
export function* pagesAfter(database: Database, table: Table, place: Place): Generator<Row[]> {
  for (let after = place; ; ) {
    const page = pageAfter(database, table, after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = keyOf(table, last);
  }
}

function pageAfter(database: Database, table: Table, after: Place): Row[] {
  const sql = `SELECT ${table.columns.join(', ')} FROM ${table.name} ${after ? `WHERE ${isBehind(table)}` : ''}
    ORDER BY ${table.key.join(', ')} LIMIT ${PAGE_ROWS}`;
  const page: Row[] = [];
  let bytes = 0;
  for (const row of database
    .prepare<SqlValue[], SqlValue[]>(sql)
    .raw()
    .iterate(...(after ?? []))) {
    page.push(row);
    for (const value of row) bytes += sizeOf(value);
    if (bytes >= PAGE_BYTES) break;
  }
  return page;
}

/** The rows after a position, up to and including the row with a key. */
export async function rowsBetween(
  database: SqlDatabase,
  table: Table,
  after: Place,
  to: Row,
): Promise<Row[]> {
  const upTo = `(${table.key.join(', ')}) <= (${marks(table)})`;
  const rows = await database
    .prepare<SqlValue[], Record<string, SqlValue>>(
      `SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE ${upTo} ${after ? `AND ${isBehind(table)}` : ''}
        ORDER BY ${table.key.join(', ')}`,
    )
    .all(...to, ...(after ?? []));
  return rows.map((row) => table.columns.map((column) => row[column] ?? null));
}

/** The key of the last row; null if there is none. */
export async function lastPlace(database: SqlDatabase, { name, key }: Table): Promise<Place> {
  const backwards = key.map((column) => `${column} DESC`).join(', ');
  const row = await database
    .prepare<[], Record<string, SqlValue>>(
      `SELECT ${key.join(', ')} FROM ${name} ORDER BY ${backwards} LIMIT 1`,
    )
    .get();
  return row ? key.map((column) => row[column] ?? null) : null;
}

export function keyOf(table: Table, row: Row): Row {
  return table.key.map((column) => row[table.columns.indexOf(column)] ?? null);
}

/** Rows as bytes: equal rows have equal bytes, different rows different bytes. */
export function encodeRows(rows: readonly Row[]): Buffer {
  return Buffer.concat(rows.flatMap((row) => row.flatMap(encodeValue)));
}

function encodeValue(value: SqlValue): Buffer[] {
  if (value === null) return [Buffer.from('n')];
  if (typeof value === 'number') return [Buffer.from(`i${value};`)];
  const bytes = Buffer.from(value as string);
  return [Buffer.from(`${typeof value === 'string' ? 's' : 'b'}${bytes.length}:`), bytes];
}

function isBehind(table: Table): string {
  return `(${table.key.join(', ')}) > (${marks(table)})`;
}

function marks({ key }: Table): string {
  return key.map(() => '?').join(', ');
}

function sizeOf(value: SqlValue): number {
  return value === null || typeof value === 'number' ? 8 : value.length;
}
