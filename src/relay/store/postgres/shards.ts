/**
 * Mail on many servers: with the Citus extension, the tables of mail are distributed by bucket. The rows of a
 * bucket, in all these tables, are on one server. All other tables are on the coordinator, to which relays connect.
 */
import type pg from 'pg';
import { BUCKETS } from '../sql/queue-keys.ts';

/** The tables of mail. The first is distributed by itself, the others are placed with it. */
const DISTRIBUTED = ['envelope', 'sealed', 'delivery', 'queue', 'queue_share'];
const COLUMN = 'bucket';
/** The parts of a table, each on one server: the highest possible number of servers. */
const SHARDS = 32;

/** The shard of each bucket, by bucket; null where mail is not distributed. */
export type Shards = readonly string[] | null;

/**
 * Distributes the tables of mail, with their rows, if the database supports that and they are not distributed yet.
 */
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

/** The shard of each bucket. */
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
