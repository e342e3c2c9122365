/** The target database of a move, in PostgreSQL. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { OperatorFailure } from '../operator/failure.ts';
import { ResourceStack } from '../resource-stack.ts';
import { CONNECT_TIMEOUT, types } from '../store/postgres/connection.ts';
import { alone, makeTables } from '../store/postgres/migrate.ts';
import { findMove, rememberMove } from '../store/postgres/moving.ts';
import { Primary } from '../store/postgres/primary.ts';
import type { Source } from './source.ts';
import type { Table } from './tables.ts';

/** The lock of a running move: any number without another use. */
const LOCK = 0x77617a;
/** A move killed just now may keep the lock for a moment, in milliseconds. */
const PATIENCE = 5_000;
const PAUSE = 250;

export interface Target extends AsyncDisposable {
  client: pg.Client;
  /**
   * `new`: it was empty. `resumed`: it has a part of this file. `restarted`: it had data of a different or older
   * file, which was deleted. A number: this file was moved here, and the move finished at that time.
   */
  begun: 'new' | 'resumed' | 'restarted' | number;
}

/**
 * Creates the tables, or finds those of an earlier move.
 * @throws OperatorFailure if the database has a relay from elsewhere; errors of the driver
 */
export async function openTarget(url: string, source: Source): Promise<Target> {
  await using opened = new ResourceStack();
  const primary = new Primary({ url, pool: { max: 1 }, onWarning: () => undefined });
  opened.defer(() => primary.close());
  await primary.find();
  const client = await primary.connectAlone({
    application_name: 'waxwing relay migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    types,
  });
  opened.defer(() => client.end());
  await acquireLock(client);
  const begun = await alone(client, () => begin(client, source));
  const everything = opened.move();
  return { client, begun, [Symbol.asyncDispose]: () => everything[Symbol.asyncDispose]() };
}

async function begin(client: pg.ClientBase, { tables, fingerprint }: Source): Promise<Target['begun']> {
  const move = await findMove(client);
  if (move && move.source === fingerprint) return move.finished_at ?? 'resumed';
  if (move ? move.finished_at !== null : await isRelay(client)) {
    throw new OperatorFailure('move_target_taken');
  }
  await makeTables(client);
  for (const table of tables) await requireAlike(client, table);
  // The initial rows of a new database are in the file, too.
  await client.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
  await rememberMove(client, fingerprint);
  return move ? 'restarted' : 'new';
}

async function isRelay(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL");
  return rows.length > 0;
}

async function requireAlike(client: pg.ClientBase, { name, columns }: Table): Promise<void> {
  const { rows } = await client.query<{ column_name: string }>(
    'SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1',
    [name],
  );
  const here = new Set(rows.map(({ column_name }) => column_name));
  const isAlike = here.size === columns.length && columns.every((column) => here.has(column));
  if (!isAlike) throw new OperatorFailure('move_table_unlike', { table: name });
}

async function acquireLock(client: pg.ClientBase): Promise<void> {
  for (let waited = 0; ; waited += PAUSE) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      LOCK,
    ]);
    if (rows[0]?.locked) return;
    if (waited >= PATIENCE) throw new OperatorFailure('move_target_busy');
    await delay(PAUSE);
  }
}
