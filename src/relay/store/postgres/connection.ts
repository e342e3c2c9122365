/**
 * A connection to PostgreSQL as the store's operations see it.
 */
import { hash } from 'node:crypto';
import pg from 'pg';
import type { Database, SqlValue, Statement } from '../sql/database.ts';
import { rowArrays, storable } from './row-arrays.ts';

const { builtins } = pg.types;
/** 64-bit integers and their sums are counts, keys and times: all are exact as numbers. */
const NUMBERS = new Set<number>([builtins.INT8, builtins.NUMERIC]);

/** The time limit for a new connection, in milliseconds. */
export const CONNECT_TIMEOUT = 5_000;

/** Types of results: numbers as numbers, bytes as Buffers, all others as the driver returns them. */
export const types: pg.CustomTypesConfig = {
  getTypeParser(id, format) {
    if (NUMBERS.has(id)) return Number;
    return pg.types.getTypeParser(id, format as 'text');
  },
};

/** Each connection prepares a statement once, under a name that is a hash of its text. */
class PreparedStatement<P extends SqlValue[], R> implements Statement<P, R> {
  readonly #client: pg.ClientBase;
  readonly #text: string;
  readonly #name: string;
  readonly #isPlucked: boolean;
  readonly #onWrite: () => void;

  constructor(client: pg.ClientBase, text: string, onWrite: () => void, isPlucked = false) {
    this.#client = client;
    this.#text = text;
    this.#onWrite = onWrite;
    this.#name = hash('sha256', text, 'base64url');
    this.#isPlucked = isPlucked;
  }

  async get(...values: P): Promise<R | undefined> {
    return (await this.all(...values))[0];
  }

  async all(...values: P): Promise<R[]> {
    const { rows } = await this.#query(values);
    return this.#isPlucked ? rows.map((row) => Object.values(row)[0] as R) : (rows as R[]);
  }

  async run(...values: P): Promise<{ changes: number }> {
    return { changes: (await this.#query(values)).rowCount ?? 0 };
  }

  pluck(): Statement<P, R> {
    return new PreparedStatement(this.#client, this.#text, this.#onWrite, true);
  }

  async #query(values: P): Promise<pg.QueryResult<Record<string, unknown>>> {
    const result = await this.#client.query<Record<string, unknown>>({
      name: this.#name,
      text: this.#text,
      values: values.map(storable),
    });
    if (result.command !== 'SELECT' && result.rowCount !== 0) this.#onWrite();
    return result;
  }
}

/**
 * A connection with its statements, which are written with question marks.
 * @param onWrite called when a statement has changed rows
 * @param isDistributed true for a database that finds the server of a row by the statement's own values, not by those in arrays
 */
export function asSql(
  client: pg.ClientBase,
  onWrite: () => void = () => undefined,
  isDistributed = false,
): Database {
  return {
    ...(isDistributed ? { isDistributed } : { arrays: rowArrays }),
    prepare<P extends SqlValue[], R>(sql: string): Statement<P, R> {
      return new PreparedStatement<P, R>(client, numbered(sql), onWrite);
    },
  };
}

/** Replaces question marks by `$1`, `$2`, …. No text in the store's statements contains a question mark. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
