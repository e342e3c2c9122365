/**
 * The SQL database under the store's operations, with either engine. Statements are written for both SQLite and
 * PostgreSQL. Each engine supplies its own version of the others (searches.ts).
 *
 * A synchronous engine returns a value where another returns a promise, so that it never waits without need.
 */

export type Awaitable<T> = T | Promise<T>;
export type SqlValue = number | string | Uint8Array | null;

/** A prepared statement. Its placeholders are question marks; integers arrive as numbers, bytes as Buffers. */
export interface Statement<P extends SqlValue[], R> {
  /** The first row. */
  get(...values: P): Awaitable<R | undefined>;
  all(...values: P): Awaitable<R[]>;
  /** @returns the number of changed rows; on SQLite, also the id of the last inserted row */
  run(...values: P): Awaitable<{ changes: number; lastInsertRowid?: number | bigint }>;
  /** From now on, each row is the value of its first column. */
  pluck(): Statement<P, R>;
}

/** The type of a column, where a statement receives all its values at once. */
export type ColumnType = 'integer' | 'bytes' | 'text';

/** Any number of rows as one parameter for each column. */
export interface RowArrays {
  /** The rows as a table in a FROM clause, with a placeholder for each column. */
  table(types: readonly ColumnType[]): string;
  /** The parameters. */
  parameters(types: readonly ColumnType[], rows: readonly (readonly SqlValue[])[]): SqlValue[];
}

/** One connection. Its statements run in one transaction, which the engine begins and ends. */
export interface Database {
  /** @param isLast true for a write after which its transaction sends nothing else: an engine may commit with it */
  prepare<P extends SqlValue[] = SqlValue[], R = unknown>(sql: string, isLast?: boolean): Statement<P, R>;
  /** Given where a statement of many rows is best one of arrays: the engine is far away, and each statement a round trip. */
  readonly arrays?: RowArrays;
  /**
   * The beginning of an INSERT of many rows; absent: `INSERT INTO`. SQLite copies no page for one with OR FAIL: an error undoes the
   * whole operation.
   */
  readonly insertInto?: string;
  /** The view with the columns of `envelope` for look-ups by hash, where the table itself has no index for them. */
  readonly envelopesByHash?: string;
  /** True where the tables of mail may be on other servers than the rest: no statement joins both. */
  readonly isDistributed?: boolean;
}

/** No limit, for statements that skip rows. */
export const ALL_ROWS = 1_000_000_000;

/** The row returned by a statement that inserts one row. */
export async function inserted(id: Awaitable<number | undefined>): Promise<number> {
  const value = await id;
  if (value === undefined) throw new Error('a row that was inserted is missing');
  return value;
}
