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
  /** @returns the number of changed rows */
  run(...values: P): Awaitable<{ changes: number }>;
  /** From now on, each row is the value of its first column. */
  pluck(): Statement<P, R>;
}

/** One connection. Its statements run in one transaction, which the engine begins and ends. */
export interface Database {
  prepare<P extends SqlValue[] = SqlValue[], R = unknown>(sql: string): Statement<P, R>;
}

/** No limit, for statements that skip rows. */
export const ALL_ROWS = 1_000_000_000;

/** The row returned by a statement that inserts one row. */
export async function inserted(id: Awaitable<number | undefined>): Promise<number> {
  const value = await id;
  if (value === undefined) throw new Error('a row that was inserted is missing');
  return value;
}
