/**
 * Counters shared by the relays on one database. Each relay counts the first calls of a caller by itself, without a
 * write. For frequent callers it draws many calls at once from a shared row. So nearly all calls need no statement.
 * Together the relays allow as much as one relay would, plus a sixty-fourth for each of them.
 *
 * The rows need not be durable: their table is unlogged, and empty after a crash or failover of the server.
 */
import { hash } from 'node:crypto';
import type pg from 'pg';
import {
  type Counted,
  type Counters,
  type Delays,
  FIRST_DELAY,
  FORGOTTEN_AFTER,
  type Limit,
  LONGEST_DELAY,
  type Rate,
} from '../../limits/counters.ts';
import { UsageCache } from '../../limits/usage-cache.ts';
import { toFailure } from './failures.ts';
import type { Primary } from './primary.ts';
import { COUNT_LISTENERS, LISTENER } from './wakeups.ts';

/** Runs one statement at a time. */
type Statements = Pick<Primary, 'query'>;

/** The part of a rate that a relay counts by itself, and the part that it draws at once. */
const ALONE = 1 / 64;
const DRAWN = 1 / 16;
/** The shortest time before an empty bucket is asked for again, in milliseconds. */
const ASK_AGAIN = 250;
/** The most buckets of each kind in a relay's memory. */
const MAX_BUCKETS = 100_000;
/** Rows of one kind that remain after expired ones are deleted. The most important ones remain. */
const MAX_ROWS = 200_000;
/** The interval at which a relay counts the rows, in milliseconds. */
const COUNT_INTERVAL = 5_000;

const NOW = 'extract(epoch FROM clock_timestamp())::float8 * 1000';
/** The time at which a bucket with level `left` is full again. */
const FULL = (left: string) => `($4::float8 - (${left})) / $5::float8 * 1000`;

/** $1 name, $2 key, $3 spent already, $4 burst, $5 a second, $6 wanted. Grants whole calls only. */
const DRAW = `
INSERT INTO counter AS c (name, key, level, granted, at, until)
SELECT $1::text, $2::bytea, $4 - $3 - granted, granted, now, now + ${FULL('$4 - $3 - granted')}
  FROM (SELECT least($6::float8, greatest(0, floor($4::float8 - $3::float8))) AS granted, ${NOW} AS now) AS new
ON CONFLICT (name, key) DO UPDATE SET (level, granted, at, until) = (
  SELECT there - granted, granted, now, now + ${FULL('there - granted')}
    FROM (SELECT there, least($6::float8, greatest(0, floor(there))) AS granted, now
            FROM (SELECT least($4::float8, c.level + greatest(0, now - c.at) * $5::float8 / 1000) - $3::float8 AS there, now
                    FROM (SELECT ${NOW} AS now) AS clock) AS old) AS new)
RETURNING level, granted`;

/**
 * $1 name, $2 key. Without a row the call is too early. No wait exceeds the longest: then the server's clock was
 * set back.
 */
const TRY = `
INSERT INTO counter AS c (name, key, level, granted, at, until)
SELECT $1::text, $2::bytea, 1, 0, now + ${FIRST_DELAY}, now + ${FIRST_DELAY + FORGOTTEN_AFTER}
  FROM (SELECT ${NOW} AS now) AS clock
ON CONFLICT (name, key) DO UPDATE SET (level, at, until) = (
  SELECT wrong + 1, now + delay, now + delay + ${FORGOTTEN_AFTER}
    FROM (SELECT wrong, now, least(${FIRST_DELAY} * 2 ^ wrong, ${LONGEST_DELAY}) AS delay
            FROM (SELECT CASE WHEN c.until < now THEN 0 ELSE c.level END AS wrong, now
                    FROM (SELECT ${NOW} AS now) AS clock) AS old) AS new)
  WHERE c.at <= ${NOW} OR c.at > ${NOW} + ${LONGEST_DELAY}
RETURNING level`;

interface Bucket {
  /** Granted and not yet spent. */
  lease: number;
  /** Spent without a draw, as of time `at`. */
  debt: number;
  at: number;
  /** The row's level after the last draw, and its time. Null while nothing was drawn since the bucket was full. */
  drawn: { level: number; at: number } | null;
  /** The earliest time of the next draw. */
  dryUntil: number;
  drawing: Promise<void> | null;
}

/** The keys of the rows of one kind. */
type KeyOf = (key: string) => Buffer;

export class PostgresCounters implements Counters {
  readonly #database: Statements;
  readonly #networkName: (text: string) => string;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  replicas = 1;

  /**
   * @param networkName names a network by a keyed hash
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    database: Statements,
    networkName: (text: string) => string,
    now: () => number = () => performance.now(),
  ) {
    this.#database = database;
    this.#networkName = networkName;
    this.#now = now;
    this.#timer = setInterval(() => void this.#countReplicas(), COUNT_INTERVAL);
    this.#timer.unref();
    void this.#countReplicas();
  }

  limit(name: string, rate: Rate, keys: 'networks' | 'others'): Limit {
    const keyOf: KeyOf =
      keys === 'networks'
        ? (key) => Buffer.from(this.#networkName(`${name} ${key}`), 'base64url')
        : (key) => hash('sha256', key, 'buffer');
    const draw = async (key: string, spent: number, wanted: number) => {
      const values = [name, keyOf(key), spent, rate.burst, rate.perSecond, wanted];
      const [row] = await this.#run<{ level: number; granted: number }>(DRAW, values);
      if (!row) throw new Error('the counter returned no row');
      return row;
    };
    return new SharedLimit(name, rate, draw, this.#now);
  }

  delays(name: string): Delays {
    const keyOf: KeyOf = (key) => hash('sha256', key, 'buffer');
    return {
      count: async (key): Promise<Counted> => {
        const [tried] = await this.#run<{ level: number }>(TRY, [name, keyOf(key)]);
        if (tried) return { wait: 0, earlier: tried.level - 1 };
        const [early] = await this.#run<{ level: number; left: number }>(
          `SELECT level, at - ${NOW} AS left FROM counter WHERE name = $1 AND key = $2`,
          [name, keyOf(key)],
        );
        return { wait: Math.max(1, Math.ceil((early?.left ?? 0) / 1000)), earlier: early?.level ?? 0 };
      },
      giveBack: async (key) => {
        await this.#run(
          `UPDATE counter SET level = greatest(0, level - 1), at = ${NOW} WHERE name = $1 AND key = $2`,
          [name, keyOf(key)],
        );
      },
      forget: async (key) => {
        await this.#run('DELETE FROM counter WHERE name = $1 AND key = $2', [name, keyOf(key)]);
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #run<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return await this.#database.query<Row>(text, values);
    } catch (error) {
      throw toFailure(error);
    }
  }

  /** A failed query changes nothing: nothing else fails with it. */
  async #countReplicas(): Promise<void> {
    const found = await this.#run<{ count: number }>(COUNT_LISTENERS, [LISTENER]).catch(() => []);
    if (found[0]) this.replicas = Math.max(1, found[0].count);
  }
}

/** Deletes expired rows, and the excess. */
export async function expireCounters(database: Statements): Promise<void> {
  await database.query(`DELETE FROM counter WHERE until < ${NOW}`);
  const rows = await database.query<{ name: string }>(
    'SELECT name FROM counter GROUP BY name HAVING count(*) > $1',
    [MAX_ROWS],
  );
  for (const { name } of rows) {
    await database.query(
      `DELETE FROM counter WHERE name = $1 AND until < (
         SELECT until FROM counter WHERE name = $1 ORDER BY until DESC OFFSET $2 LIMIT 1)`,
      [name, MAX_ROWS],
    );
  }
}

type Draw = (key: string, spent: number, wanted: number) => Promise<{ level: number; granted: number }>;

/** A limit of which this relay counts a part. */
class SharedLimit implements Limit {
  readonly name: string;
  readonly rate: Rate;
  readonly #draw: Draw;
  readonly #now: () => number;
  readonly #buckets: UsageCache<string, Bucket>;

  constructor(name: string, rate: Rate, draw: Draw, now: () => number) {
    this.name = name;
    this.rate = rate;
    this.#draw = draw;
    this.#now = now;
    this.#buckets = new UsageCache(MAX_BUCKETS, (bucket) => rate.burst - this.#leftIn(bucket));
  }

  tryConsume(key: string): number | Promise<number> {
    const bucket = this.#bucketOf(key);
    return this.#spend(bucket) ? 0 : this.#drawAndSpend(key, bucket);
  }

  giveBack(key: string): void {
    const bucket = this.#bucketOf(key);
    const most = Math.max(1, Math.floor(this.rate.burst * DRAWN));
    if (bucket.drawn === null) bucket.debt = Math.max(0, bucket.debt - 1);
    else bucket.lease = Math.min(most, bucket.lease + 1);
  }

  left(key: string): number {
    const bucket = this.#buckets.get(key);
    return bucket ? this.#leftIn(bucket) : this.rate.burst;
  }

  #leftIn({ drawn, lease, debt }: Bucket): number {
    const { burst, perSecond } = this.rate;
    const shared = drawn ? drawn.level + ((this.#now() - drawn.at) / 1000) * perSecond : burst;
    return Math.min(burst, shared + lease - debt);
  }

  #bucketOf(key: string): Bucket {
    const known = this.#buckets.get(key);
    if (known) return known;
    const fresh = { lease: 0, debt: 0, at: this.#now(), drawn: null, dryUntil: 0, drawing: null };
    this.#buckets.add(key, fresh);
    return fresh;
  }

  /** Uses one of this relay's calls. @returns true if it had one */
  #spend(bucket: Bucket): boolean {
    const now = this.#now();
    const { burst, perSecond } = this.rate;
    const { drawn } = bucket;
    if (drawn && drawn.level + ((now - drawn.at) / 1000) * perSecond >= burst) {
      // The row is full again, which equals no row. Calls drawn from it are not added.
      Object.assign(bucket, { drawn: null, lease: 0, debt: 0, at: now });
    }
    if (bucket.lease >= 1) {
      bucket.lease--;
      return true;
    }
    if (bucket.drawn) return false;
    bucket.debt = Math.max(0, bucket.debt - ((now - bucket.at) / 1000) * perSecond * ALONE);
    bucket.at = now;
    if (bucket.debt + 1 > burst * ALONE) return false;
    bucket.debt++;
    return true;
  }

  async #drawAndSpend(key: string, bucket: Bucket): Promise<number> {
    for (;;) {
      const wait = bucket.dryUntil - this.#now();
      if (wait > 0) return Math.ceil(wait / 1000);
      bucket.drawing ??= this.#drawFor(key, bucket).finally(() => {
        bucket.drawing = null;
      });
      await bucket.drawing;
      if (this.#spend(bucket)) return 0;
    }
  }

  async #drawFor(key: string, bucket: Bucket): Promise<void> {
    const { burst, perSecond } = this.rate;
    const spent = bucket.debt;
    const { level, granted } = await this.#draw(key, spent, Math.max(1, Math.floor(burst * DRAWN)));
    bucket.debt = 0;
    bucket.lease += granted;
    bucket.drawn = { level, at: this.#now() };
    if (granted === 0) {
      bucket.dryUntil = this.#now() + Math.max(ASK_AGAIN, ((1 - level) / perSecond) * 1000);
    }
  }
}
