/**
 * Everything that decides about copies for current keys of devices, in one look-up: the queue with its counters, an earlier arrival
 * of the same copy, and how much of the queue its holders use. Only for engines that accept arrays.
 */

import type { Waiting } from '../../../rules/queue-share.ts';
import type { AccountKey, QueueKey } from '../../records.ts';
import type { ColumnType, Database, RowArrays } from '../database.ts';
import { bucketInSql } from '../queue-keys.ts';

/** A copy for the device with this key. */
export interface KeyedCopy {
  sealKey: Uint8Array;
  hash: Uint8Array;
  /** Names of the holders that it counts for. */
  holders: readonly Uint8Array[];
}

/** The device that has the key, and the state that decides about the copy. */
export interface KeyedRow {
  /** The index of the copy among those looked up. */
  place: number;
  id: QueueKey;
  account_id: AccountKey;
  address: Buffer;
  accepted_until: number;
  /** Null if the device has no queue. */
  envelopes: number | null;
  bytes: number | null;
  /** The time of an earlier arrival in milliseconds, or null. */
  accepted_at: number | null;
  /** The use of the queue by each holder, by its index. */
  shares: readonly Waiting[];
}

type ShareColumns = Record<`envelopes_${number}` | `bytes_${number}`, number | null>;

/** The most holders of one copy that are looked up: its sender, the sender's programs, its network. */
const HOLDERS = [0, 1, 2] as const;
const TYPES: readonly ColumnType[] = ['integer', 'bytes', 'bytes', ...HOLDERS.map(() => 'bytes' as const)];

/** The statement of {@link keyedCopies}. OFFSET 0 looks each copy up by itself, as in rows-at-once.ts. */
export function keyedLookUp(arrays: RowArrays): string {
  const bucket = bucketInSql('device.account_id');
  const holders = HOLDERS.map((index) => `holder_${index}`);
  const counts = HOLDERS.map(
    (index) => `share_${index}.envelopes AS envelopes_${index}, share_${index}.bytes AS bytes_${index}`,
  );
  const shares = HOLDERS.map(
    (index) => `LEFT JOIN queue_share AS share_${index} ON share_${index}.device = device.id
        AND share_${index}.holder = wanted.holder_${index} AND share_${index}.bucket = ${bucket}`,
  );
  return `SELECT found.* FROM ${arrays.table(TYPES)} AS wanted(place, seal_key, hash, ${holders.join(', ')})
    CROSS JOIN LATERAL (
      SELECT wanted.place, device.id, account_id, address, expires_at AS accepted_until, queue.envelopes, queue.bytes,
             accepted_at, ${counts.join(', ')}
        FROM device JOIN account ON account.id = device.account_id
        LEFT JOIN queue ON queue.device = device.id AND queue.bucket = ${bucket}
        LEFT JOIN envelope ON envelope.hash = wanted.hash AND envelope.bucket = ${bucket}
        ${shares.join('\n        ')}
       WHERE device.seal_key = wanted.seal_key OFFSET 0) AS found`;
}

/** A function that looks copies up. A copy whose key no device has is missing in the result. */
export function keyedCopies(
  database: Database,
  arrays: RowArrays,
): (copies: readonly KeyedCopy[]) => Promise<KeyedRow[]> {
  const statement = database.prepare<never[], Omit<KeyedRow, 'shares'> & ShareColumns>(keyedLookUp(arrays));
  return async (copies) => {
    if (copies.length === 0) return [];
    const rows = copies.map(({ sealKey, hash, holders }, place) => [
      place,
      sealKey,
      hash,
      ...HOLDERS.map((index) => holders[index] ?? null),
    ]);
    const found = await statement.all(...(arrays.parameters(TYPES, rows) as never[]));
    return found.map((row) => ({
      ...row,
      shares: HOLDERS.map((index) => ({
        envelopes: row[`envelopes_${index}`] ?? 0,
        bytes: row[`bytes_${index}`] ?? 0,
      })),
    }));
  };
}
