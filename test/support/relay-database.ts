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

/** Makes a database on the server. @returns its URL; null where relays keep files */
export async function newDatabase(): Promise<string | null> {
  const server = process.env[SERVER];
  if (server === undefined) return null;
  const name = `relay_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

/**
 * What stands in the database of a relay that runs or has stopped: for what nobody is told, such as that something is gone.
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
