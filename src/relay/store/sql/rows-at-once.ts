/**
 * Statements over several rows at once. Where the engine accepts arrays, one statement serves any number of rows; elsewhere
 * statements are prepared for a few batch sizes that cover any number.
 */
import type { ColumnType, Database, RowArrays, SqlValue, Statement } from './database.ts';

/** The prepared batch sizes, largest first. */
const SIZES = [128, 64, 32, 16, 8, 4, 2, 1];
const [LARGEST] = SIZES as [number];

/** The values of one row. */
export type Row = readonly SqlValue[];

/** Placeholders for several rows: `(?, ?), (?, ?)`. */
export function placeholders(rows: number, columns: number): string {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  return Array(rows).fill(row).join(', ');
}

/** A condition that matches any of several rows: `(a = ? AND b = ?) OR (a = ? AND b = ?)`. */
export function anyOf(rows: number, columns: readonly string[]): string {
  const row = `(${columns.map((column) => `${column} = ?`).join(' AND ')})`;
  return Array(rows).fill(row).join(' OR ');
}

function prepared<R>(database: Database, sql: (rows: number) => string) {
  const statements = new Map<number, Statement<SqlValue[], R>>();
  return (rows: number): Statement<SqlValue[], R> => {
    const known = statements.get(rows);
    if (known) return known;
    const statement = database.prepare<SqlValue[], R>(sql(rows));
    statements.set(rows, statement);
    return statement;
  };
}

/** Names of columns with their types. */
export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * A function that finds the rows for several keys.
 * @param key the columns of a key
 * @param sql builds the statement with a condition that matches any key. A key may occur twice; its row may then be returned
 *   twice.
 */
export function finder<R>(
  database: Database,
  key: Columns,
  sql: (matches: string) => string,
): (keys: readonly Row[]) => Promise<R[]> {
  const columns = Object.keys(key);
  if (database.arrays) return arrayFinder(database, database.arrays, key, sql);
  const statement = prepared<R>(database, (keys) => sql(`(${anyOf(keys, columns)})`));
  return async (keys) => {
    const found: R[] = [];
    for (let start = 0; start < keys.length; start += LARGEST) {
      const some = keys.slice(start, start + LARGEST);
      const size = SIZES.findLast((size) => size >= some.length) ?? LARGEST;
      const last = some.at(-1) ?? [];
      const all = [...some, ...Array<Row>(size - some.length).fill(last)];
      found.push(...(await statement(size).all(...all.flat())));
    }
    return found;
  };
}

function arrayFinder<R>(
  database: Database,
  arrays: RowArrays,
  key: Columns,
  sql: (matches: string) => string,
): (keys: readonly Row[]) => Promise<R[]> {
  const types = Object.values(key);
  const statement = database.prepare<SqlValue[], R>(lookUp(arrays, key, sql));
  return async (keys) => (keys.length === 0 ? [] : statement.all(...arrays.parameters(types, keys)));
}

/** The statement of a {@link finder} with arrays. */
export function lookUp(arrays: RowArrays, key: Columns, sql: (matches: string) => string): string {
  const columns = Object.keys(key);
  const names = columns.map((_, index) => `key_${index}`);
  const matches = columns.map((column, index) => `${column} = ${names[index]}`).join(' AND ');
  // OFFSET 0 looks each key up by itself, by an index. A join could read the whole table, and a serializable transaction
  // would then conflict with every other.
  return `SELECT found.* FROM ${arrays.table(Object.values(key))} AS wanted(${names.join(', ')})
    CROSS JOIN LATERAL (${sql(`(${matches})`)} OFFSET 0) AS found`;
}

/**
 * A function that runs a statement for several rows, once each. @param sql builds the statement for a number of
 * rows
 */
export function writer(
  database: Database,
  sql: (rows: number) => string,
): (rows: readonly Row[]) => Promise<void> {
  const statement = prepared(database, sql);
  return async (rows) => {
    for (const some of inSizes(rows)) await statement(some.length).run(...some.flat());
  };
}

/** Like {@link writer}, with the statement's result. */
export function returningWriter<R>(
  database: Database,
  sql: (rows: number) => string,
): (rows: readonly Row[]) => Promise<R[]> {
  const statement = prepared<R>(database, sql);
  return async (rows) => {
    const returned: R[] = [];
    for (const some of inSizes(rows)) returned.push(...(await statement(some.length).all(...some.flat())));
    return returned;
  };
}

/**
 * Like {@link writer}, with the ids of the inserted rows, in their order. For SQLite alone, which numbers the rows of one statement
 * consecutively.
 */
export function numberingWriter(
  database: Database,
  sql: (rows: number) => string,
): (rows: readonly Row[]) => Promise<number[]> {
  const statement = prepared(database, sql);
  return async (rows) => {
    const ids: number[] = [];
    for (const some of inSizes(rows)) {
      const { lastInsertRowid } = await statement(some.length).run(...some.flat());
      const last = Number(lastInsertRowid);
      for (let id = last - some.length + 1; id <= last; id++) ids.push(id);
    }
    return ids;
  };
}

function* inSizes(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; ) {
    const size = SIZES.find((size) => size <= rows.length - start) ?? 1;
    yield rows.slice(start, start + size);
    start += size;
  }
}
