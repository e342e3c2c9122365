/**
 * The database of a test's relay: a file, or one of its own on the PostgreSQL server that the environment names.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

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
