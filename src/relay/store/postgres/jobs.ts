/**
 * One relay at a time runs the jobs: it has an advisory lock, on its own connection. The lock ends with the
 * connection, and so with the relay: at once when its process dies, within a minute when its machine disappears or
 * freezes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Jobs } from '../jobs.ts';
import { toFailure } from './failures.ts';
import type { Primary } from './primary.ts';

/** The lock of the relay that runs the jobs: any number without another use. */
const LOCK = 0x776179;
/**
 * The server's time-out for the locking relay, in seconds, and the interval of its signs of life, in milliseconds.
 */
const MAX_SILENCE = 60;
const WORD = 15_000;
/** The time limit of a statement on this connection, in milliseconds. */
const ANSWER_TIME = 5_000;

export class PostgresJobs implements Jobs {
  readonly #primary: Pick<Primary, 'connectAlone'>;

  constructor(primary: Pick<Primary, 'connectAlone'>) {
    this.#primary = primary;
  }

  async tryRun(work: (lost: AbortSignal) => Promise<void>): Promise<boolean> {
    const client = await this.#connect();
    const lost = new AbortController();
    client.once('end', () => lost.abort());
    const timer = setInterval(() => client.query('SELECT 1').catch(() => void client.end()), WORD);
    timer.unref();
    try {
      await client.query(`SET idle_session_timeout = '${MAX_SILENCE}s'`);
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
        LOCK,
      ]);
      if (!rows[0]?.locked) return false;
      await work(lost.signal);
      return true;
    } finally {
      clearInterval(timer);
      // A server that no longer answers blocks nothing: the lock ends with the server's time-out.
      const ended = client.end().catch(() => undefined);
      await Promise.race([ended, delay(ANSWER_TIME, undefined, { ref: false })]);
    }
  }

  async #connect(): Promise<pg.Client> {
    try {
      return await this.#primary.connectAlone({
        application_name: 'waxwing jobs',
        connectionTimeoutMillis: ANSWER_TIME,
        query_timeout: ANSWER_TIME,
      });
    } catch (error) {
      throw toFailure(error);
    }
  }
}
