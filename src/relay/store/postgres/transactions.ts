/**
 * Transactions on a pool of connections. What can be done again is done again; what is committed is durable.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StoreUnavailable } from '../records.ts';
import { type Operations, prepareOperations } from '../sql/operations.ts';
import { prepareReads, type Reads } from '../sql/reads.ts';
import { asSql } from './connection.ts';
import { isRepeatable, toFailure } from './failures.ts';
import type { Primary } from './primary.ts';
import { postgresSearches } from './searches.ts';

/** How often a transaction is tried that others are in the way of. Each waits for longer, up to about a second. */
const MOST_TRIES = 12;
/** A transaction that failed more often runs alone. */
const PUSHED_ASIDE = 2;
/** Calls that may wait for a connection. */
const MOST_WAITING = 2_000;
/** The server says with this warning that it did not wait for its standby: what was committed may be lost. */
const NOT_ON_STANDBY = '01000';
/** How long a commit waits for the standby, in milliseconds. The server's own limits end before that wait begins. */
const COMMIT_TIME = 10_000;
/**
 * The end of a write that changed nothing: it found, say, that a mail is there already. What it found may be a commit that
 * gave up waiting for the standby, so it writes something itself and waits: the standby takes commits in order.
 */
const COMMIT_AFTER_ALL_BEFORE = "SELECT pg_logical_emit_message(true, 'waxwing', ''); COMMIT";

interface Connection {
  reads: Reads;
  operations: Operations;
  /** Whether the last commit was not copied to the standby. */
  isUncertain: boolean;
  /** Whether the transaction has changed rows. */
  hasWritten: boolean;
}

type Work<T> = (connection: Connection, client: pg.ClientBase) => Promise<T>;

type Level = 'READ COMMITTED' | 'SERIALIZABLE' | 'REPEATABLE READ READ ONLY';

/**
 * Writes run beside each other, and what others were in the way of runs alone, whichever replica makes it: so each of them
 * ends. A lock takes no snapshot, so what follows it sees all that was done before; it is given back with the transaction.
 */
const BESIDE_OTHERS = 'LOCK TABLE turn IN ROW SHARE MODE';
const ALONE = 'LOCK TABLE turn IN EXCLUSIVE MODE';

export class Transactions {
  readonly #primary: Primary;
  readonly #turn = new Turn();
  readonly #connections = new WeakMap<pg.PoolClient, Connection>();
  /** How many were committed. */
  commits = 0;

  constructor(primary: Primary) {
    this.#primary = primary;
  }

  /** Reads that need no more than the newest of what was committed. */
  read<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    return this.#use(({ reads }) => work(reads));
  }

  /** Reads of one moment. */
  readMoment<T>(work: (reads: Reads, client: pg.ClientBase) => Promise<T>): Promise<T> {
    return this.#transact('REPEATABLE READ READ ONLY', ({ reads }, client) => work(reads, client));
  }

  /** Writes as if nothing else ran meanwhile. */
  write<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    return this.#transact('SERIALIZABLE', ({ operations }) => work(operations));
  }

  /** Writes that are right in whatever order their statements meet those of others. */
  writeFreely<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    return this.#transact('READ COMMITTED', ({ operations }) => work(operations));
  }

  async #transact<T>(level: Level, work: Work<T>): Promise<T> {
    const begin = `BEGIN ISOLATION LEVEL ${level}`;
    if (level === 'REPEATABLE READ READ ONLY') {
      return this.#once(begin, 1, work, true).catch((error: unknown) => {
        throw unwrapped(error);
      });
    }
    for (let count = 1; ; count++) {
      try {
        if (count <= PUSHED_ASIDE) {
          return await this.#commit(`${begin}; ${BESIDE_OTHERS}`, count, work);
        }
        // Here, too, one after the other: those that wait take no connection from the others.
        return await this.#turn.run(() => this.#commit(`${begin}; ${ALONE}`, count, work));
      } catch (error) {
        if (count === MOST_TRIES || !(error instanceof Repeatable)) throw unwrapped(error);
      }
      await delay(Math.random() * Math.min(1_000, 2 ** count));
    }
  }

  async #commit<T>(begin: string, count: number, work: Work<T>): Promise<T> {
    const value = await this.#once(begin, count, work);
    this.commits++;
    return value;
  }

  /** @param begin statements that begin the transaction @param count how often it was tried */
  #once<T>(begin: string, count: number, work: Work<T>, isRead = false): Promise<T> {
    return this.#use(async (connection, client) => {
      try {
        await client.query(begin);
        connection.hasWritten = false;
        const value = await work(connection, client);
        connection.isUncertain = false;
        const end = isRead || connection.hasWritten ? 'COMMIT' : COMMIT_AFTER_ALL_BEFORE;
        const giveUp = setTimeout(() => this.#primary.cancel(client), COMMIT_TIME);
        await client.query(end).finally(() => clearTimeout(giveUp));
        if (connection.isUncertain) throw new StoreUnavailable('the commit was not copied to the standby');
        return value;
      } catch (error) {
        if (!isRepeatable(error, count)) throw error;
        await client.query('ROLLBACK');
        throw new Repeatable(error);
      }
    });
  }

  async #use<T>(work: (connection: Connection, client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#primary.waiting >= MOST_WAITING) throw new StoreUnavailable('too much is waiting');
    const client = await this.#primary.connect();
    let broken: Error | undefined;
    try {
      return await work(this.#connectionOf(client), client);
    } catch (error) {
      if (error instanceof Repeatable) throw error;
      const failure = toFailure(error);
      if (failure instanceof StoreUnavailable || !(await isRolledBack(client))) {
        broken = new Error('closed');
        this.#primary.doubt();
      }
      throw failure;
    } finally {
      client.release(broken);
    }
  }

  #connectionOf(client: pg.PoolClient): Connection {
    const known = this.#connections.get(client);
    if (known) return known;
    const sql = asSql(client, () => {
      connection.hasWritten = true;
    });
    const connection: Connection = {
      reads: prepareReads(sql, postgresSearches(sql)),
      operations: prepareOperations(sql),
      isUncertain: false,
      hasWritten: false,
    };
    client.on('notice', ({ code }) => {
      if (code === NOT_ON_STANDBY) connection.isUncertain = true;
    });
    this.#connections.set(client, connection);
    return connection;
  }
}

/** Runs one thing after the other. */
class Turn {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Ends a transaction that failed, if there is one. A connection that cannot is closed. */
function isRolledBack(client: pg.ClientBase): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

/** Failed because others were in the way. The connection is as good as before. */
class Repeatable extends Error {
  override readonly name = 'Repeatable';

  constructor(cause: unknown) {
    super('another transaction was in the way', { cause });
  }
}

function unwrapped(error: unknown): unknown {
  return error instanceof Repeatable ? toFailure(error.cause) : error;
}
