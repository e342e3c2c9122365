/**
 * The database of a test's relay: a file, or one of its own on the PostgreSQL server that the environment names.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { asSql as asPostgres, types } from '../../src/relay/store/postgres/connection.ts';
import type { Database, SqlValue } from '../../src/relay/store/sql/database.ts';
import { asSql as asFile, openForReading } from '../../src/relay/store/sqlite/database.ts';

/** Names the server on which relays of these tests have their databases. */
export const SERVER = 'WAXWING_TEST_POSTGRES';

/** Names servers with Citus, separated by commas, to be used as workers of the server above. */
const WORKERS = 'WAXWING_TEST_CITUS_WORKERS';

/** Names the database on that server which has the tables already. */
export const TEMPLATE = 'WAXWING_TEST_POSTGRES_TEMPLATE';

/** `1` if the server keeps its databases in memory. */
export const IN_MEMORY = 'WAXWING_TEST_POSTGRES_IN_MEMORY';

/** Makes a database with the tables of a relay on the server. @returns its URL; null where relays keep files */
export async function newDatabase(): Promise<string | null> {
  const { [SERVER]: server, [TEMPLATE]: template } = process.env;
  if (server === undefined) return null;
  if (template === undefined) return newEmptyDatabase();
  const name = newName();
  // In memory, copying files is faster than replaying the log; on a disk it is slower.
  const strategy = process.env[IN_MEMORY] === '1' ? 'FILE_COPY' : 'WAL_LOG';
  await run(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
  return databaseAt(new URL(server), name);
}

/** Creates an empty database on the server; a relay creates the tables when it starts. @returns its URL */
export async function newEmptyDatabase(): Promise<string> {
  const server = process.env[SERVER];
  if (server === undefined) throw new Error('these tests have no PostgreSQL');
  const name = newName();
  const workers = process.env[WORKERS]?.split(',').map((url) => new URL(url)) ?? [];
  for (const each of [...workers, new URL(server)]) {
    await run(each.href, `CREATE DATABASE ${name}`);
    if (workers.length > 0) await run(databaseAt(each, name), 'CREATE EXTENSION citus');
  }
  const url = databaseAt(new URL(server), name);
  for (const { hostname, port } of workers) await run(url, `SELECT citus_add_node('${hostname}', ${port})`);
  return url;
}

/** Deletes a database of the server, also with open connections. */
export async function dropDatabase(url: string): Promise<void> {
  const server = process.env[SERVER];
  if (server === undefined) throw new Error('these tests have no PostgreSQL');
  await run(server, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

const newName = () => `relay_${randomBytes(8).toString('hex')}`;

function databaseAt(server: URL, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/**
 * Reads the database of a running or stopped relay, for facts without an API, such as deletions.
 * @param database its URL; null where it is a file in the folder @param sql that both engines take
 */
export async function readRows<R>(
  folder: string,
  database: string | null,
  sql: string,
  values: SqlValue[],
): Promise<R[]> {
  const read = async (from: Database) => from.prepare<SqlValue[], R>(sql).all(...values);
  if (database === null) {
    const file = openForReading(join(folder, 'relay.db'));
    return read(asFile(file)).finally(() => file.close());
  }
  const client = new pg.Client({ connectionString: database, types });
  await client.connect();
  return read(asPostgres(client)).finally(() => client.end());
}
