/**
 * A connection to PostgreSQL as the store's operations see it.
 */
import { hash } from 'node:crypto';
import type { Writable } from 'node:stream';
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

/** The transaction in which a connection's statements run. */
export interface Session {
  /** Resolves when the transaction has begun. Reads are sent before that, writes only after it: outside they would stay. */
  begun: Promise<unknown>;
  /** Called when a statement has changed rows. */
  onWrite(): void;
  /** Called when the last statement of a transaction was sent: the commit follows it, in the same round trip. */
  onLast(): void;
}

/** For statements without a transaction. */
export const NO_TRANSACTION: Readonly<Session> = {
  begun: Promise.resolve(),
  onWrite: () => undefined,
  onLast: () => undefined,
};

/**
 * Sends everything that is written to a connection in this turn of the event loop at once. Each write is a system call that may wake
 * the server, and takes more of the processor than the statements of some envelopes.
 */
export function sendTogether(client: pg.ClientBase): void {
  const { stream } = (client as pg.ClientBase & { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const READ = /^\s*SELECT\b/;

/** Each connection prepares a statement once, under a name that is a hash of its text. */
class PreparedStatement<P extends SqlValue[], R> implements Statement<P, R> {
  readonly #client: pg.ClientBase;
  readonly #text: string;
  readonly #name: string;
  readonly #session: Readonly<Session>;
  readonly #isRead: boolean;
  readonly #isLast: boolean;
  readonly #isPlucked: boolean;

  constructor(
    client: pg.ClientBase,
    text: string,
    session: Readonly<Session>,
    { isLast = false, isPlucked = false } = {},
  ) {
    this.#client = client;
    this.#text = text;
    this.#session = session;
    this.#name = hash('sha256', text, 'base64url');
    this.#isRead = READ.test(text);
    this.#isLast = isLast;
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
    return new PreparedStatement(this.#client, this.#text, this.#session, {
      isLast: this.#isLast,
      isPlucked: true,
    });
  }

  async #query(values: P): Promise<pg.QueryResult<Record<string, unknown>>> {
    if (!this.#isRead) await this.#session.begun;
    if (this.#isLast) sendTogether(this.#client);
    const sent = this.#client.query<Record<string, unknown>>({
      name: this.#name,
      text: this.#text,
      values: values.map(storable),
    });
    if (this.#isLast) this.#session.onLast();
    const result = await sent;
    if (result.command !== 'SELECT' && result.rowCount !== 0) this.#session.onWrite();
    return result;
  }
}

/**
 * A connection with its statements, which are written with question marks.
 * @param session the transaction in which the statements run
 * @param isDistributed true for a database that finds the server of a row by the statement's own values, not by those in arrays
 */
export function asSql(
  client: pg.ClientBase,
  session: Readonly<Session> = NO_TRANSACTION,
  isDistributed = false,
): Database {
  return {
    ...(isDistributed ? { isDistributed } : { arrays: rowArrays }),
    prepare<P extends SqlValue[], R>(sql: string, isLast = false): Statement<P, R> {
      return new PreparedStatement<P, R>(client, numbered(sql), session, { isLast });
    },
  };
}

/** Replaces question marks by `$1`, `$2`, …. No text in the store's statements contains a question mark. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
