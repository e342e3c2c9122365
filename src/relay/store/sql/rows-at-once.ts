/** Statements over several rows at once, prepared for a few batch sizes that cover any number of rows. */
import type { Database, SqlValue, Statement } from './database.ts';

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

/**
 * A function that finds the rows for several keys.
 * @param sql builds the statement for a number of keys. A key may occur twice.
 */
export function finder<R>(
  database: Database,
  sql: (keys: number) => string,
): (keys: readonly Row[]) => Promise<R[]> {
  const statement = prepared<R>(database, sql);
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

function* inSizes(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; ) {
    const size = SIZES.find((size) => size <= rows.length - start) ?? 1;
    yield rows.slice(start, start + size);
    start += size;
  }
}
