/** Migrations of a database, run by one replica at a time. */
import type pg from 'pg';
import { OperatorFailure } from '../../operator/failure.ts';
import { requireMoved } from './moving.ts';
import { schema } from './schema.ts';
import { distribute } from './shards.ts';

/** In order; a released migration never changes. The first is the whole schema: until its release, change that. */
const MIGRATIONS = [schema];

/** The lock that simultaneously starting replicas wait for: any number without another use. */
const LOCK = 0x776178;

/** @throws OperatorFailure if the database has a newer version, or a relay is still being moved into it */
export async function migrate(client: pg.ClientBase): Promise<void> {
  await alone(client, async () => {
    await requireMoved(client);
    await makeTables(client);
    await distribute(client);
  });
}

/** One transaction, so that no other migration runs on this database. */
export async function alone<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const value = await work();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // The server also rolls back if the connection is lost.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Creates the tables, or migrates them. @throws OperatorFailure if the database has a newer version */
export async function makeTables(client: pg.ClientBase): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)');
  const found = await client.query<{ version: number }>('SELECT version FROM schema_version');
  const version = found.rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new OperatorFailure('database_newer', { version, known: MIGRATIONS.length });
  }
  for (const migration of MIGRATIONS.slice(version)) await client.query(migration);
  const save =
    found.rows.length === 0
      ? 'INSERT INTO schema_version VALUES ($1)'
      : 'UPDATE schema_version SET version = $1';
  await client.query(save, [MIGRATIONS.length]);
}
