/**
 * A connection to PostgreSQL as the store's operations see it.
 */
import { hash } from 'node:crypto';
import pg from 'pg';
import type { Database, SqlValue, Statement } from '../sql/database.ts';

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
      values: values.map(toParameter),
    });
    if (result.command !== 'SELECT' && result.rowCount !== 0) this.#onWrite();
    return result;
  }
}

/**
 * A connection with its statements, which are written with question marks.
 * @param onWrite called when a statement has changed rows
 */
export function asSql(client: pg.ClientBase, onWrite: () => void = () => undefined): Database {
  return {
    prepare<P extends SqlValue[], R>(sql: string): Statement<P, R> {
      return new PreparedStatement<P, R>(client, numbered(sql), onWrite);
    },
  };
}

/**
 * A parameter in the server's form. Values made up by a caller, in a cursor or a path, must simply find nothing: a
 * text with a zero character, which no stored text has, and a number that is too large or not whole.
 */
function toParameter(value: SqlValue): SqlValue {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd');
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (Number.isNaN(value)) return null;
  return Math.trunc(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)));
}

/** Replaces question marks by `$1`, `$2`, …. No text in the store's statements contains a question mark. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
