/**
 * Mail on many servers: in a database with the Citus extension, the tables of mail are distributed by their bucket, and a
 * bucket's rows of all of them lie on one server. All other tables stay on the coordinator, to which relays connect.
 */
import type pg from 'pg';
import { BUCKETS } from '../sql/queue-keys.ts';

/** The tables of mail. The first is distributed by itself, the others lie beside it. */
const DISTRIBUTED = ['envelope', 'sealed', 'delivery', 'queue', 'queue_share'];
const COLUMN = 'bucket';
/** Parts into which a table is divided, each of which lies on one server: a limit for how many servers there can be. */
const SHARDS = 32;

/** The shard of each bucket, by bucket; null where mail is not distributed. */
export type Shards = readonly string[] | null;

/** Distributes the tables of mail if the database can do that, and they are not distributed. Their rows go with them. */
export async function distribute(client: pg.ClientBase): Promise<void> {
  if (!(await hasCitus(client))) return;
  const { rows } = await client.query<{ name: string }>(
    'SELECT logicalrelid::text AS name FROM pg_dist_partition',
  );
  const there = new Set(rows.map(({ name }) => name));
  for (const [index, table] of DISTRIBUTED.entries()) {
    if (there.has(table)) continue;
    if (index === 0) {
      await client.query('SELECT create_distributed_table($1::regclass, $2, shard_count => $3)', [
        table,
        COLUMN,
        SHARDS,
      ]);
    } else {
      await client.query('SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)', [
        table,
        COLUMN,
        DISTRIBUTED[0],
      ]);
    }
  }
}

/** Where each bucket lies. */
export async function readShards(client: pg.ClientBase): Promise<Shards> {
  if (!(await hasCitus(client))) return null;
  const { rows } = await client.query<{ shard: string }>(
    `SELECT get_shard_id_for_distribution_column($1::regclass, bucket)::text AS shard
       FROM generate_series(0, $2::bigint - 1) AS bucket ORDER BY bucket`,
    [DISTRIBUTED[0], BUCKETS],
  );
  return rows.map(({ shard }) => shard);
}

async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}
