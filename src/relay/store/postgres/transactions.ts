/** Transactions on a pool of connections. Conflicts are repeated; commits are durable. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StoreUnavailable } from '../records.ts';
import { type Operations, prepareOperations } from '../sql/operations.ts';
import { prepareReads, type Reads } from '../sql/reads.ts';
import { asSql, type Session, sendTogether } from './connection.ts';
import { isRepeatable, toFailure } from './failures.ts';
import type { Primary } from './primary.ts';
import { postgresSearches } from './searches.ts';

/** The most tries of a transaction that conflicts with others. Each waits longer, up to about a second. */
const MAX_TRIES = 12;
/** After more failures than this a transaction runs alone. */
const PUSHED_ASIDE = 2;
/** The most calls waiting for a connection. */
const MAX_WAITING = 2_000;
/** The server's warning that it did not wait for its standby: the commit may be lost. */
const NOT_ON_STANDBY = '01000';
/**
 * The time limit for a commit to reach the standby, in milliseconds. The server's own limits end before that wait
 * begins.
 */
const COMMIT_TIME = 10_000;
const COMMIT = 'COMMIT';
/**
 * The end of a write that changed nothing, for example because its mail was there already. That mail may be a
 * commit that did not wait for the standby. So the transaction writes something itself and waits: the standby
 * applies commits in order.
 */
const COMMIT_AFTER_ALL_BEFORE = "SELECT pg_logical_emit_message(true, 'waxwing', ''); COMMIT";

interface Connection extends Session {
  reads: Reads;
  operations: Operations;
  /** True if the last commit was not copied to the standby. */
  isUncertain: boolean;
  /** True if the transaction has changed rows. */
  hasWritten: boolean;
  /** The commit that was sent with the last statement. */
  committed: Promise<unknown> | null;
}

type Work<T> = (connection: Connection, client: pg.ClientBase) => Promise<T>;

type Level = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE' | 'REPEATABLE READ READ ONLY';

/**
 * The lock of a write that runs alone. Writes normally run concurrently, and a write with too many conflicts runs
 * alone, on whichever replica. So each of them ends. A lock needs no snapshot, so later statements see all earlier
 * commits. It is released with the transaction.
 */
const BESIDE_OTHERS = 'LOCK TABLE turn IN ROW SHARE MODE';
const ALONE = 'LOCK TABLE turn IN EXCLUSIVE MODE';

/**
 * Statements of mail are planned once. By default the server compares the plan for any values with one for these values, and for
 * few rows it would choose the latter each time: planning then takes several times as long as the work.
 *
 * Their rows are found by indexes: to change the queues of one flush the server would read the whole table of some thousand queues.
 */
const PLANNED_ONCE = 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

export class Transactions {
  readonly #primary: Primary;
  readonly #isDistributed: boolean;
  readonly #turn = new Turn();
  readonly #connections = new WeakMap<pg.PoolClient, Connection>();
  /** The number of committed transactions. */
  commits = 0;

  /** @param isDistributed true if the tables of mail are on several servers */
  constructor(primary: Primary, isDistributed: boolean) {
    this.#primary = primary;
    this.#isDistributed = isDistributed;
  }

  /** Reads that need only the newest commits. */
  read<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    return this.#use(({ reads }) => work(reads));
  }

  /** Reads that see one moment. */
  readMoment<T>(work: (reads: Reads, client: pg.ClientBase) => Promise<T>): Promise<T> {
    return this.#transact('REPEATABLE READ READ ONLY', ({ reads }, client) => work(reads, client));
  }

  /** Writes as if nothing else ran meanwhile. */
  write<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    return this.#transact('SERIALIZABLE', ({ operations }) => work(operations));
  }

  /**
   * Writes that see one moment, and fail if a row that they change was changed after it. Correct where each decision depends on
   * rows that are changed with it, or on a unique value. Servers that share tables of mail agree on no common moment.
   */
  writeInSnapshot<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    const level = this.#isDistributed ? 'SERIALIZABLE' : 'REPEATABLE READ';
    return this.#transact(level, ({ operations }) => work(operations));
  }

  /** Writes that are correct in any order with the statements of others. */
  writeFreely<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    return this.#transact('READ COMMITTED', ({ operations }) => work(operations));
  }

  async #transact<T>(level: Level, work: Work<T>): Promise<T> {
    const begin = [
      `BEGIN ISOLATION LEVEL ${level}`,
      ...(level === 'REPEATABLE READ' ? [PLANNED_ONCE] : []),
    ].join('; ');
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
        // One after the other here, too: waiting writes then occupy no connection.
        return await this.#turn.run(() => this.#commit(`${begin}; ${ALONE}`, count, work));
      } catch (error) {
        if (count === MAX_TRIES || !(error instanceof Repeatable)) throw unwrapped(error);
      }
      await delay(Math.random() * Math.min(1_000, 2 ** count));
    }
  }

  async #commit<T>(begin: string, count: number, work: Work<T>): Promise<T> {
    const value = await this.#once(begin, count, work);
    this.commits++;
    return value;
  }

  /** @param begin statements that begin the transaction @param count number of tries so far */
  #once<T>(begin: string, count: number, work: Work<T>, isRead = false): Promise<T> {
    return this.#use(async (connection, client) => {
      try {
        connection.isUncertain = false;
        connection.hasWritten = false;
        connection.committed = null;
        sendTogether(client);
        connection.begun = client.query(begin);
        const value = await afterBoth(connection.begun, work(connection, client));
        const end = isRead || connection.hasWritten ? COMMIT : COMMIT_AFTER_ALL_BEFORE;
        const giveUp = setTimeout(() => this.#primary.cancel(client), COMMIT_TIME);
        await (connection.committed ?? client.query(end)).finally(() => clearTimeout(giveUp));
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
    if (this.#primary.waiting >= MAX_WAITING) throw new StoreUnavailable('too much is waiting');
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
    const session = {
      begun: Promise.resolve() as Promise<unknown>,
      isUncertain: false,
      hasWritten: false,
      committed: null as Promise<unknown> | null,
      onWrite() {
        session.hasWritten = true;
      },
      onLast() {
        // After a failed statement the server rolls back instead.
        session.committed = client.query(COMMIT);
        session.committed.catch(() => undefined);
      },
    };
    const sql = asSql(client, session, this.#isDistributed);
    const connection: Connection = Object.assign(session, {
      reads: prepareReads(sql, postgresSearches(sql)),
      operations: prepareOperations(sql),
    });
    client.on('notice', ({ code }) => {
      if (code === NOT_ON_STANDBY) connection.isUncertain = true;
    });
    this.#connections.set(client, connection);
    return connection;
  }
}

/** Runs one task after the other. */
class Turn {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The result of work that was sent together with the begin. A failed begin is the cause of its failure. */
async function afterBoth<T>(begun: Promise<unknown>, work: Promise<T>): Promise<T> {
  const [begin, result] = await Promise.allSettled([begun, work]);
  if (begin.status === 'rejected') throw begin.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Rolls back a failed transaction, if there is one. Closes a connection that cannot. */
function isRolledBack(client: pg.ClientBase): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

/** Failed because of a conflict. The connection is still usable. */
class Repeatable extends Error {
  override readonly name = 'Repeatable';

  constructor(cause: unknown) {
    super('another transaction was in the way', { cause });
  }
}

function unwrapped(error: unknown): unknown {
  return error instanceof Repeatable ? toFailure(error.cause) : error;
}
