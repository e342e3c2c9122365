/**
 * Settings that all relays on one database must have in common. Each running relay marks its values by shared advisory locks,
 * which end with its connection: so a stopped relay leaves nothing behind.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A setting that relays on one database must have in common. */
export type CommonSetting = 'publicUrl' | 'blobs';

/** Its first key of a lock with two: numbers without another use. */
const CLASSES: Readonly<Record<CommonSetting, number>> = { publicUrl: 0x776161, blobs: 0x776162 };

const MARK = 'SELECT pg_advisory_lock_shared($1::int4, $2::int4)';
const COUNT_OTHERS = `SELECT count(*)::int AS count FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = $1::int4::oid AND objid <> $2::int4::oid`;

/**
 * Marks this relay's values until the connection ends.
 * @returns the settings of which another running relay has another value
 */
export async function markSettings(
  client: pg.Client,
  settings: Readonly<Record<CommonSetting, string>>,
): Promise<CommonSetting[]> {
  const different: CommonSetting[] = [];
  for (const name of Object.keys(CLASSES) as CommonSetting[]) {
    const keys = [CLASSES[name], keyOf(settings[name])];
    // First: of two relays that start at the same time, at least one finds the other.
    await client.query(MARK, keys);
    const { rows } = await client.query<{ count: number }>(COUNT_OTHERS, keys);
    if (rows[0]?.count) different.push(name);
  }
  return different;
}

/** A positive key of 31 bits. Two values with the same key would only miss a warning. */
function keyOf(value: string): number {
  return createHash('sha256').update(value).digest().readUInt32BE(0) >>> 1;
}
