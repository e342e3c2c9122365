/**
 * Hints between relays as notifications of PostgreSQL. They are collected for some milliseconds and sent outside of
 * any transaction, because transactions with notifications wait for each other.
 *
 * A relay that is the only one sends no hints of queues: a notification takes as much of the server as several sends. A relay that
 * begins to listen announces itself, so the others then send hints at once.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import type { Hint, Wakeups } from '../wakeups.ts';
import type { Primary } from './primary.ts';

const CHANNEL = 'waxwing_hints';
/** The name of each relay's listening connection. */
export const LISTENER = 'waxwing hints';
/** The number of listening relays, this one included. $1 is {@link LISTENER}. */
export const COUNT_LISTENERS =
  'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1';
/** The interval between counts of the listening relays, in milliseconds. */
const COUNT_INTERVAL = 5_000;
/** A relay on a lost machine counts as listening until the server notices: within a minute, not in hours. */
const NOTICE_LOSS =
  'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3';
/** The time for collecting hints, in milliseconds. */
const GATHERED = 8;
/** Items in one notification of at most 8,000 bytes: keys of at most 16 digits, ids of at most 43 characters. */
const QUEUES_AT_ONCE = 250;
const CREDENTIALS_AT_ONCE = 60;
/** Limit of the hints that wait to be sent. Further ones are lost; receivers allow for lost hints. */
const MAX_WAITING = 20_000;
/** The delay before a lost connection is replaced, in milliseconds. */
const PAUSE = 1_000;

const Notification = z.object({
  from: z.string(),
  queues: z.array(z.number()),
  credentials: z.array(z.string()),
});

export class PostgresWakeups implements Wakeups {
  /** This relay's name among those that share the database. */
  readonly #self = randomBytes(9).toString('base64url');
  readonly #primary: Primary;
  readonly #onListening: (client: pg.Client) => Promise<void>;
  readonly #queues = new Set<number>();
  readonly #credentials = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #onHint: ((hint: Hint) => void) | null = null;
  #listener: pg.Client | null = null;
  #isListening = false;
  /** True if no other relay listened at the last count, and none announced itself after it. */
  #isAlone = false;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** The number of notifications of others. */
  #received = 0;
  #isClosed = false;

  /**
   * @param primary a connection of its pool sends; one of its own listens
   * @param onListening called with the listening connection, which this relay has while it runs, also after a
   *   reconnection. Its failure is ignored
   */
  constructor(primary: Primary, onListening: (client: pg.Client) => Promise<void> = async () => undefined) {
    this.#primary = primary;
    this.#onListening = onListening;
  }

  publish({ queues, credentials }: Hint): void {
    if (this.#isClosed || this.#queues.size + this.#credentials.size > MAX_WAITING) return;
    if (!this.#isAlone || this.#isCountDue()) for (const queue of queues) this.#queues.add(queue);
    for (const credential of credentials) this.#credentials.add(credential);
    if (this.#queues.size + this.#credentials.size > 0) {
      this.#timer ??= setTimeout(() => void this.#send(), GATHERED);
    }
  }

  listen(onHint: (hint: Hint) => void): void {
    this.#onHint = onHint;
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    const ended = this.#listener?.end().catch(() => undefined);
    await Promise.race([ended, delay(PAUSE, undefined, { ref: false })]);
  }

  async #send(): Promise<void> {
    const queues = [...this.#queues].slice(0, QUEUES_AT_ONCE);
    const credentials = [...this.#credentials].slice(0, CREDENTIALS_AT_ONCE);
    for (const queue of queues) this.#queues.delete(queue);
    for (const credential of credentials) this.#credentials.delete(credential);
    await this.#primary.query(...this.#notification({ queues, credentials })).catch(() => undefined);
    if (this.#isCountDue()) await this.#countOthers();
    const isMore = this.#queues.size + this.#credentials.size > 0 && !this.#isClosed;
    this.#timer = isMore ? setTimeout(() => void this.#send(), 0) : null;
  }

  #notification(hint: Hint): [text: string, values: string[]] {
    const payload = { from: this.#self, queues: [...hint.queues], credentials: [...hint.credentials] };
    return [
      'SELECT pg_notify($1, $2)',
      [CHANNEL, JSON.stringify(payload satisfies z.input<typeof Notification>)],
    ];
  }

  #isCountDue(): boolean {
    return performance.now() - this.#countedAt >= COUNT_INTERVAL;
  }

  async #countOthers(): Promise<void> {
    const receivedBefore = this.#received;
    const [row] = await this.#primary.query<{ count: number }>(COUNT_LISTENERS, [LISTENER]).catch(() => []);
    this.#countedAt = performance.now();
    // A relay that announced itself meanwhile may be missing in the count. Without a connection no announcement arrives.
    this.#isAlone = row?.count === 1 && this.#isListening && this.#received === receivedBefore;
  }

  async #connect(): Promise<void> {
    try {
      const client = await this.#primary.connectAlone({
        application_name: LISTENER,
        keepAlive: true,
        connectionTimeoutMillis: 5 * PAUSE,
        query_timeout: 5 * PAUSE,
      });
      this.#listener = client;
      client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
      client.once('end', () => this.#again());
      if (this.#isClosed) await client.end();
      else await this.#subscribe(client).catch(() => client.end());
    } catch {
      this.#again();
    }
  }

  async #subscribe(client: pg.Client): Promise<void> {
    await client.query(`${NOTICE_LOSS}; LISTEN ${CHANNEL}`);
    this.#isListening = true;
    await client.query(...this.#notification({ queues: [], credentials: [] }));
    await this.#onListening(client).catch(() => undefined);
  }

  /** Replaces a lost connection. */
  #again(): void {
    this.#listener = null;
    this.#isListening = false;
    this.#isAlone = false;
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed) void this.#connect();
    }, PAUSE).unref();
  }

  #receive(payload: string): void {
    const { success, data } = Notification.safeParse(parsed(payload));
    if (!success || data.from === this.#self) return;
    this.#received++;
    this.#isAlone = false;
    this.#onHint?.(data);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
