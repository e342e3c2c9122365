/**
 * The SQL database that the store's operations run on, whichever engine it is. Statements are written so that SQLite and
 * PostgreSQL both take them; what cannot be written so, an engine brings itself (searches.ts).
 *
 * An engine that answers at once gives a value where another gives a promise, so that nothing waits for nothing.
 */

export type Awaitable<T> = T | Promise<T>;
export type SqlValue = number | string | Uint8Array | null;

/** A prepared statement. Its placeholders are question marks; integers come back as numbers, bytes as Buffers. */
export interface Statement<P extends SqlValue[], R> {
  /** The first row. */
  get(...values: P): Awaitable<R | undefined>;
  all(...values: P): Awaitable<R[]>;
  /** @returns how many rows it changed */
  run(...values: P): Awaitable<{ changes: number }>;
  /** From now on, each row is the value of its first column. */
  pluck(): Statement<P, R>;
}

/** One connection. What runs on it runs in one transaction, which the engine begins and ends. */
export interface Database {
  prepare<P extends SqlValue[] = SqlValue[], R = unknown>(sql: string): Statement<P, R>;
}

/** A limit that is none, for statements that skip rows. */
export const ALL_ROWS = 1_000_000_000;

/** What a statement that inserts one row returned of it. */
export async function inserted(id: Awaitable<number | undefined>): Promise<number> {
  const value = await id;
  if (value === undefined) throw new Error('a row that was inserted is missing');
  return value;
}
