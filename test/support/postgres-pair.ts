/**
 * Two PostgreSQL servers, a primary and a synchronous standby: committed data is on both. When the primary is killed
 * the standby is promoted, and the old primary returns as its standby.
 */
import { eventually } from './engine.ts';
import { TestPostgres } from './postgres.ts';

/** The name of the current standby. */
const STANDBY = 'standby';
const SETTINGS = {
  // The log since the beginning of a standby's copy is kept.
  wal_keep_size: '64MB',
  wal_retrieve_retry_interval: '100ms',
};

export class PostgresPair implements AsyncDisposable {
  primary: TestPostgres;
  standby: TestPostgres;
  /** In the order in which URLs name them. */
  readonly #servers: readonly TestPostgres[];

  /** @param settings of both */
  constructor(settings: Record<string, string | number> = {}) {
    this.#servers = [0, 1].map(() => new TestPostgres({ ...SETTINGS, ...settings }));
    [this.primary, this.standby] = this.#servers as [TestPostgres, TestPostgres];
  }

  async start(): Promise<this> {
    await this.primary.start();
    await this.rebuild();
    return this;
  }

  /** Makes a database on both. @returns a URL that names both servers */
  async database(): Promise<string> {
    const [, name = ''] = /([^/]+)$/.exec(await this.primary.database()) ?? [];
    const hosts = this.#servers.map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://relay@${hosts.join()}/${name}?target_session_attrs=read-write`;
  }

  /** Promotes the standby, also while the primary still runs. */
  async promote(): Promise<void> {
    await this.standby.promote();
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** Kills the primary and promotes the standby. The other one stays dead. */
  async failOver(): Promise<void> {
    await this.primary.stop('SIGKILL');
    await this.promote();
  }

  /** The server that is not the primary becomes its standby, by a copy of it. */
  async rebuild(): Promise<void> {
    await this.standby.stop('SIGKILL');
    await this.primary.set('synchronous_standby_names', STANDBY);
    await this.standby.follow(this.primary, STANDBY);
    await this.joined();
  }

  /** Both servers confirm commits without the other: a configuration that no operator should use. */
  async forgetStandbys(): Promise<void> {
    for (const server of this.#servers) await server.set('synchronous_standby_names', '');
  }

  /** Commits stay on the primary, so that none ends. */
  async cut(): Promise<void> {
    await this.standby.listen(null, STANDBY);
    // Otherwise it would end the connection only at the next message of its primary.
    await this.primary.query('postgres', 'SELECT pg_terminate_backend(pid) FROM pg_stat_replication');
    await this.#followers(0);
  }

  /** The standby follows again. */
  async join(): Promise<void> {
    await this.standby.listen(this.primary, STANDBY);
    await this.joined();
  }

  /** Resolves when commits wait for the standby and no longer forever. */
  joined(): Promise<void> {
    return this.#followers(1);
  }

  async #followers(count: number): Promise<void> {
    const sql = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
    await eventually(
      () => this.primary.query('postgres', sql),
      (rows) => rows.length === count,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop('SIGKILL')));
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
  }
}
