/**
 * The rows of a waiting envelope: one `delivery` per queue, one `sealed` body as long as any delivery is left, and
 * the counters of the queue and of its senders. This file removes mail from queues; copies.ts adds it.
 */
import { holderNames, type Origin } from '../../../rules/queue-share.ts';
import type { QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { bucketOfQueue } from '../queue-keys.ts';
import { anyOf, finder, placeholders, type Row, returningWriter, writer } from '../rows-at-once.ts';

/** A waiting envelope. */
export interface WaitingEnvelope extends Origin {
  id: number;
  size: number;
  pending: number;
  is_forgotten: number;
}

export const QUEUE_COLUMNS = '(device, bucket, envelopes, bytes)';
/** The end of an INSERT that adds to the counters of a queue. */
export const ADDED_TO_QUEUE = `ON CONFLICT (device, bucket) DO UPDATE
  SET envelopes = queue.envelopes + excluded.envelopes, bytes = queue.bytes + excluded.bytes`;
export const SHARE_COLUMNS = '(device, holder, bucket, envelopes, bytes)';
/** The same for the counters of a holder. */
export const ADDED_TO_SHARE = `ON CONFLICT (device, holder, bucket) DO UPDATE
  SET envelopes = queue_share.envelopes + excluded.envelopes, bytes = queue_share.bytes + excluded.bytes`;

/** Changes the counters of queues: `[queue, bucket, envelopes, bytes]`, each queue once. */
export function queueCounters(database: Database): (changes: readonly Row[]) => Promise<void> {
  const { insertInto = 'INSERT INTO' } = database;
  return writer(
    database,
    (rows) => `${insertInto} queue ${QUEUE_COLUMNS} VALUES ${placeholders(rows, 4)} ${ADDED_TO_QUEUE}`,
  );
}

/** Changes the counters of holders in queues: `[queue, holder, bucket, envelopes, bytes]`, each pair once. */
export function shareCounters(database: Database): (changes: readonly Row[]) => Promise<void> {
  const { insertInto = 'INSERT INTO' } = database;
  return writer(
    database,
    (rows) => `${insertInto} queue_share ${SHARE_COLUMNS} VALUES ${placeholders(rows, 5)} ${ADDED_TO_SHARE}`,
  );
}

export function deliveryRows(database: Database) {
  const countQueues = queueCounters(database);
  const countShares = shareCounters(database);
  const forgetShares = writer(
    database,
    (pairs) =>
      `DELETE FROM queue_share WHERE envelopes <= 0 AND (${anyOf(pairs, ['device', 'holder', 'bucket'])})`,
  );
  const findWaiting = finder<WaitingEnvelope>(
    database,
    { hash: 'bytes', 'envelope.bucket': 'integer' },
    (matches) =>
      `SELECT envelope.id, size, pending, is_forgotten, sender, via, network
         FROM ${database.envelopesByHash ?? 'envelope'} JOIN sealed ON sealed.envelope_id = envelope.id AND sealed.bucket = envelope.bucket
        WHERE ${matches}`,
  );
  const deleteDeliveries = returningWriter<{ device: number; envelope_id: number }>(
    database,
    (pairs) =>
      `DELETE FROM delivery WHERE ${anyOf(pairs, ['device', 'envelope_id', 'bucket'])}
       RETURNING device, envelope_id`,
  );
  const lessPending = writer(
    database,
    (ids) => `UPDATE envelope SET pending = pending - 1 WHERE ${anyOf(ids, ['id', 'bucket'])}`,
  );
  const deleteBodies = writer(
    database,
    (ids) => `DELETE FROM sealed WHERE ${anyOf(ids, ['envelope_id', 'bucket'])}`,
  );
  const deleteForgotten = writer(
    database,
    (ids) => `DELETE FROM envelope WHERE ${anyOf(ids, ['id', 'bucket'])}`,
  );
  // First of all, so that concurrent mail waits for this, not the reverse.
  const deleteQueue = database.prepare('DELETE FROM queue WHERE device = ? AND bucket = ?');
  const lessPendingInQueue = database.prepare(
    `UPDATE envelope SET pending = pending - 1
      WHERE bucket = ? AND id IN (SELECT envelope_id FROM delivery WHERE device = ? AND bucket = ?)`,
  );
  const deleteForgottenInQueue = database.prepare(
    `DELETE FROM envelope WHERE bucket = ? AND pending = 0 AND id IN
       (SELECT delivery.envelope_id FROM delivery
          JOIN sealed ON sealed.envelope_id = delivery.envelope_id AND sealed.bucket = delivery.bucket
         WHERE device = ? AND delivery.bucket = ? AND is_forgotten = 1)`,
  );
  const deleteBodiesInQueue = database.prepare(
    `DELETE FROM sealed WHERE bucket = ? AND envelope_id IN
       (SELECT envelope_id FROM delivery
          LEFT JOIN envelope ON envelope.id = delivery.envelope_id AND envelope.bucket = delivery.bucket
         WHERE device = ? AND delivery.bucket = ? AND coalesce(pending, 0) = 0)`,
  );
  const deleteQueued = database.prepare('DELETE FROM delivery WHERE device = ? AND bucket = ?');
  const deleteShares = database.prepare('DELETE FROM queue_share WHERE device = ? AND bucket = ?');
  const insertQueue = database.prepare(
    'INSERT INTO queue (device, bucket, envelopes, bytes) VALUES (?, ?, 0, 0)',
  );

  /**
   * Removes envelopes from queues, with their counters.
   * @param pairs queue and envelope @returns ids of the removed envelopes, once for each queue
   */
  async function removeCopies(
    pairs: readonly (readonly [QueueKey, number])[],
    envelopes: ReadonlyMap<number, Origin & { size: number }>,
  ): Promise<number[]> {
    const deleted = await deleteDeliveries(pairs.map(([queue, id]) => [queue, id, bucketOfQueue(queue)]));
    const queues = new Map<QueueKey, [QueueKey, number, number, number]>();
    const shares = new Map<string, [QueueKey, Uint8Array, number, number, number]>();
    for (const { device, envelope_id } of deleted) {
      const envelope = envelopes.get(envelope_id);
      if (!envelope) continue;
      const bucket = bucketOfQueue(device);
      const [, , count, bytes] = queues.get(device) ?? [device, bucket, 0, 0];
      queues.set(device, [device, bucket, count - 1, bytes - envelope.size]);
      for (const holder of holderNames(envelope)) {
        const key = `${device} ${Buffer.from(holder).toString('latin1')}`;
        const [, , , copies, copiesBytes] = shares.get(key) ?? [device, holder, bucket, 0, 0];
        shares.set(key, [device, holder, bucket, copies - 1, copiesBytes - envelope.size]);
      }
    }
    await countQueues([...queues.values()]);
    await countShares([...shares.values()]);
    await forgetShares([...shares.values()].map(([device, holder, bucket]) => [device, holder, bucket]));
    return deleted.map(({ envelope_id }) => envelope_id);
  }

  return {
    removeCopies,

    /** Removes envelopes from a queue, by their hashes. @returns the number removed */
    async acknowledge(queue: QueueKey, hashes: readonly Buffer[]): Promise<number> {
      const bucket = bucketOfQueue(queue);
      const found = await findWaiting(hashes.map((hash) => [hash, bucket]));
      const waiting = new Map(found.map((row) => [row.id, row]));
      const removed = await removeCopies(
        [...waiting.keys()].map((id) => [queue, id] as const),
        waiting,
      );
      const last = removed.filter((id) => waiting.get(id)?.pending === 1);
      await lessPending(removed.map((id) => [id, bucket]));
      await deleteBodies(last.map((id) => [id, bucket]));
      await deleteForgotten(
        last.filter((id) => waiting.get(id)?.is_forgotten === 1).map((id) => [id, bucket]),
      );
      return removed.length;
    },

    async createQueue(queue: QueueKey): Promise<void> {
      await insertQueue.run(queue, bucketOfQueue(queue));
    },

    /** Deletes a queue with its content, just before its device is deleted. */
    async deleteQueue(queue: QueueKey): Promise<void> {
      const bucket = bucketOfQueue(queue);
      await deleteQueue.run(queue, bucket);
      await lessPendingInQueue.run(bucket, queue, bucket);
      await deleteForgottenInQueue.run(bucket, queue, bucket);
      await deleteBodiesInQueue.run(bucket, queue, bucket);
      await deleteQueued.run(queue, bucket);
      await deleteShares.run(queue, bucket);
    },
  };
}
