/**
 * Connections to the primary server. A URL may name several servers. After a failover the connections to the old
 * primary are closed, and new ones are made to the new primary.
 *
 * A returned old primary accepts writes, too, so accepting writes is not enough. Each promotion starts a timeline
 * with a higher number. The server with the newest timeline is used, and a server with an older one is refused.
 */
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { OperatorFailure } from '../../operator/failure.ts';
import { StoreUnavailable } from '../records.ts';
import { toFailure } from './failures.ts';
import { requireUsable, type ServerTimeline } from './guards.ts';
import { readServers } from './servers.ts';

/** The time limit for a server's report about itself, in milliseconds. */
const ANSWER_TIME = 2_000;
/** The interval between checks of all servers for a promotion, in milliseconds. */
const WATCH = 2_000;
/** The first and the longest delay of a check after a failure, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;

/** The time limit for running work at the end, in milliseconds. */
const CLOSE_TIMEOUT = 3_000;

/** A server as it was when chosen. */
interface Choice extends ServerTimeline {
  url: string;
}

export interface PrimaryOptions {
  /** postgres://user:password@host:port/database, with one server or several. */
  url: string;
  /** The limit of connections in the pool. */
  pool: pg.PoolConfig;
  /** Called when an idle connection was lost, and when a server is no longer used. */
  onWarning(reason: string): void;
}

export class Primary {
  readonly #urls: readonly string[];
  readonly #pool: pg.Pool;
  readonly #onWarning: (reason: string) => void;
  /** All connections, each with its server. */
  readonly #madeFor = new Map<pg.ClientBase, Choice | null>();
  readonly #sockets = new Set<Socket>();
  /** The server in use; null while there is none. */
  #choice: Choice | null = null;
  /** The identity of the database, known even while no server is in use. */
  #newest: ServerTimeline | null = null;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #fruitless = 0;
  #isClosed = false;

  /** @throws OperatorFailure if the URL cannot be used */
  constructor({ url, pool, onWarning }: PrimaryOptions) {
    this.#urls = readServers(url);
    this.#onWarning = onWarning;
    const settings = (given: pg.ClientConfig) => this.#settings(given);
    const remember = (client: pg.Client) => this.#remember(client);
    class Client extends pg.Client {
      constructor(given: pg.ClientConfig = {}) {
        super(settings(given));
        remember(this);
      }
    }
    this.#pool = new pg.Pool({
      ...pool,
      Client,
      onConnect: (client) => this.#admit(client),
    } as pg.PoolConfig);
    this.#pool.on('error', (error) => {
      onWarning(reasonOf(error));
      this.doubt();
    });
    // For a connection in use: the running statement fails, too.
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /**
   * Finds the server.
   * @throws OperatorFailure, or the Error of the first server in the URL
   */
  async find(): Promise<void> {
    const failures = await this.#queryAll();
    if (this.#choice === null) throw failures.find((failure) => failure !== null) ?? new Error('no server');
    this.#plan(true);
  }

  /** Calls waiting for a connection. */
  get waiting(): number {
    return this.#pool.waitingCount;
  }

  /** A connection of the pool, to be released. @throws StoreUnavailable, Error */
  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      if (this.#choice === null) throw new StoreUnavailable('no PostgreSQL server takes writes');
      const client = await this.#pool.connect().catch((error: unknown) => {
        this.doubt();
        throw toFailure(error);
      });
      if (this.#madeFor.get(client) === this.#choice) return client;
      client.release(true);
    }
  }

  /** Runs one statement. */
  async query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    const client = await this.connect();
    try {
      const { rows } = await client.query<R>(text, values);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Checks a connection of the pool like a new one. @throws OperatorFailure, StoreUnavailable, Error */
  async check(): Promise<void> {
    const client = await this.connect();
    try {
      await this.#admit(client);
      client.release();
    } catch (error) {
      client.release(true);
      this.doubt();
      throw toFailure(error);
    }
  }

  /** Cancels the running statement of a connection, if possible. */
  cancel(client: pg.ClientBase): void {
    const { processID } = client as pg.ClientBase & { processID: number | null };
    const settings = { application_name: 'waxwing cancel', connectionTimeoutMillis: ANSWER_TIME };
    void this.connectAlone(settings)
      .then((other) =>
        other.query('SELECT pg_cancel_backend($1)', [processID]).finally(() => void other.end()),
      )
      .catch(() => undefined);
  }

  /** A connection outside the pool, to be ended. @throws the reason for a failed connection */
  async connectAlone(settings: pg.ClientConfig): Promise<pg.Client> {
    const client = new pg.Client(this.#settings(settings));
    client.on('error', () => undefined);
    this.#remember(client);
    try {
      await client.connect();
      await this.#admit(client);
      if (this.#madeFor.get(client) !== this.#choice) throw new StoreUnavailable('another server took over');
      return client;
    } catch (error) {
      this.doubt();
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** An error of a lost server was seen: soon checks for a new primary. */
  doubt(): void {
    if (!this.#isClosed && this.#looking === null && this.#fruitless === 0) this.#plan(false);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await Promise.race([this.#pool.end(), delay(CLOSE_TIMEOUT, undefined, { ref: false })]);
    // A server that no longer answers would keep these connections open, and the process alive.
    for (const socket of this.#sockets) socket.destroy();
  }

  #remember(client: pg.Client): void {
    this.#madeFor.set(client, this.#choice);
    client.once('end', () => this.#madeFor.delete(client));
  }

  #settings(given: pg.ClientConfig): pg.ClientConfig {
    return { ...given, connectionString: this.#choice?.url ?? this.#urls[0], stream: () => this.#socket() };
  }

  #socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Checks the server behind a new connection: it may differ from the earlier server of that name. */
  async #admit(client: pg.ClientBase): Promise<void> {
    const choice = this.#madeFor.get(client);
    const standing = await requireUsable(client);
    this.#requireNewest(standing);
    if (!choice || standing.timeline === choice.timeline) return;
    const newer = { ...standing, url: choice.url };
    this.#madeFor.set(client, newer);
    this.#choose(newer);
  }

  /** @throws OperatorFailure if it has another database or an older timeline */
  #requireNewest({ cluster, timeline }: ServerTimeline): void {
    const newest = this.#newest;
    if (newest === null) return;
    if (cluster !== newest.cluster) throw new OperatorFailure('postgres_other');
    if (timeline < newest.timeline) {
      throw new OperatorFailure('postgres_left_behind', { timeline, newest: newest.timeline });
    }
  }

  #choose(choice: Choice | null): void {
    this.#choice = choice;
    if (choice) this.#newest = choice;
    // Running statements there fail at once: the server will not answer.
    for (const [client, madeFor] of this.#madeFor) {
      if (madeFor !== choice) void (client as pg.Client).end().catch(() => undefined);
    }
  }

  /** Queries all servers, and uses the best one. @returns the fault of each server, null where it has none */
  #queryAll(): Promise<unknown[]> {
    return Promise.all(
      this.#urls.map(async (url) => {
        try {
          this.#consider({ ...(await queryServer(url)), url });
          return null;
        } catch (error) {
          const failure = toFailure(error);
          // An unreachable server may return in a moment. A server that answers and is unusable is left at once.
          if (error instanceof OperatorFailure && this.#choice?.url === url) {
            this.#onWarning(error.message);
            this.#choose(null);
          }
          return error instanceof OperatorFailure ? error : failure;
        }
      }),
    );
  }

  /** @throws OperatorFailure */
  #consider(found: Choice): void {
    this.#requireNewest(found);
    const isBetter = this.#choice === null || found.timeline > this.#choice.timeline;
    if (isBetter) this.#choose(found);
  }

  async #look(): Promise<void> {
    this.#looking ??= this.#queryAll().then((failures) => {
      this.#looking = null;
      this.#plan(this.#choice !== null && failures[this.#urls.indexOf(this.#choice.url)] === null);
    });
    await this.#looking;
  }

  /** @param isFound whether the server in use answers */
  #plan(isFound: boolean): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#fruitless = isFound ? 0 : this.#fruitless + 1;
    // A single server needs no watching: its connections report failures.
    if (isFound && this.#urls.length === 1) return;
    const pause = isFound ? WATCH : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (this.#fruitless - 1));
    this.#timer = setTimeout(() => void this.#look(), pause * (0.75 + Math.random() / 2)).unref();
  }
}

/** A server's report about itself, on a new connection. @throws the reason why it cannot be used */
async function queryServer(url: string): Promise<ServerTimeline> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'waxwing look',
    connectionTimeoutMillis: ANSWER_TIME,
    query_timeout: ANSWER_TIME,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await requireUsable(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** An error without the values in its message. */
export function reasonOf(error: unknown): string {
  const failure = toFailure(error);
  return failure instanceof Error ? failure.message : String(failure);
}
