/**
 * One relay at a time does the jobs: it holds an advisory lock, on a connection of its own. The lock ends with the
 * connection, and so with the relay: at once when its process dies, within a minute when its machine vanishes or stands still.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Jobs } from '../jobs.ts';
import { toFailure } from './failures.ts';
import type { Primary } from './primary.ts';

/** What relays lock that do the jobs: any number that nothing else locks. */
const LOCK = 0x776179;
/** How long the server waits for a word of who holds the lock, in seconds, and how often there is one, in milliseconds. */
const MOST_SILENCE = 60;
const WORD = 15_000;
/** How long a statement of this connection may take, in milliseconds. */
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
      await client.query(`SET idle_session_timeout = '${MOST_SILENCE}s'`);
      const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
        LOCK,
      ]);
      if (!rows[0]?.held) return false;
      await work(lost.signal);
      return true;
    } finally {
      clearInterval(timer);
      // A server that says nothing more keeps nobody: the lock ends with its patience.
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
