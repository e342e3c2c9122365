/**
 * The rows of an envelope that waits: one `delivery` for each queue, one `sealed` body as long as any of them is left,
 * and the counters that go with them, of the queue and of who fills it. What takes mail out of queues is here; what puts
 * it in, in copies.ts.
 */
import { holderNames, type Origin } from '../../../rules/queue-share.ts';
import type { QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { anyOf, finder, placeholders, type Row, returningWriter, writer } from '../rows-at-once.ts';

/** An envelope that waits. */
export interface WaitingEnvelope extends Origin {
  id: number;
  size: number;
  pending: number;
}

/** Changes the counters of queues: `[queue, envelopes, bytes]`, each queue once. */
export function queueCounters(database: Database): (changes: readonly Row[]) => Promise<void> {
  return writer(database, (rows) => {
    const row = '(CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT))';
    return `UPDATE device SET queued = queued + change.column2, queued_bytes = queued_bytes + change.column3
              FROM (VALUES ${Array(rows).fill(row).join(', ')}) AS change WHERE device.id = change.column1`;
  });
}

/** Changes what holders have in queues: `[queue, holder, envelopes, bytes]`, each of both once. */
export function shareCounters(database: Database): (changes: readonly Row[]) => Promise<void> {
  return writer(
    database,
    (rows) =>
      `INSERT INTO queue_share (device, holder, envelopes, bytes) VALUES ${placeholders(rows, 4)}
       ON CONFLICT (device, holder) DO UPDATE
         SET envelopes = queue_share.envelopes + excluded.envelopes, bytes = queue_share.bytes + excluded.bytes`,
  );
}

export function deliveryRows(database: Database) {
  const countQueues = queueCounters(database);
  const countShares = shareCounters(database);
  const forgetShares = writer(
    database,
    (pairs) => `DELETE FROM queue_share WHERE envelopes <= 0 AND (${anyOf(pairs, ['device', 'holder'])})`,
  );
  const findWaiting = finder<WaitingEnvelope>(
    database,
    (hashes) =>
      `SELECT envelope.id, size, pending, sender, via, network
         FROM envelope JOIN sealed ON sealed.envelope_id = envelope.id
        WHERE hash IN (${placeholders(hashes, 1)})`,
  );
  const deleteDeliveries = returningWriter<{ device: number; envelope_id: number }>(
    database,
    (pairs) =>
      `DELETE FROM delivery WHERE ${anyOf(pairs, ['device', 'envelope_id'])} RETURNING device, envelope_id`,
  );
  const lessPending = writer(
    database,
    (ids) => `UPDATE envelope SET pending = pending - 1 WHERE id IN (${placeholders(ids, 1)})`,
  );
  const deleteBodies = writer(
    database,
    (ids) => `DELETE FROM sealed WHERE envelope_id IN (${placeholders(ids, 1)})`,
  );
  // First of all, so that mail which comes meanwhile waits for the end of this, and not the other way round.
  const emptyCounters = database.prepare('UPDATE device SET queued = 0, queued_bytes = 0 WHERE id = ?');
  const lessPendingInQueue = database.prepare(
    `UPDATE envelope SET pending = pending - 1
      WHERE id IN (SELECT envelope_id FROM delivery WHERE device = ?)`,
  );
  const deleteBodiesInQueue = database.prepare(
    `DELETE FROM sealed WHERE envelope_id IN
       (SELECT envelope_id FROM delivery JOIN envelope ON envelope.id = delivery.envelope_id
         WHERE device = ? AND pending = 0)`,
  );
  const deleteQueue = database.prepare('DELETE FROM delivery WHERE device = ?');
  const deleteShares = database.prepare('DELETE FROM queue_share WHERE device = ?');

  /**
   * Takes envelopes out of queues, with what they count for.
   * @param pairs queue and envelope @returns ids of the envelopes that were there, once for each queue
   */
  async function takeOut(
    pairs: readonly (readonly [QueueKey, number])[],
    envelopes: ReadonlyMap<number, Origin & { size: number }>,
  ): Promise<number[]> {
    const deleted = await deleteDeliveries(pairs);
    const queues = new Map<QueueKey, [QueueKey, number, number]>();
    const shares = new Map<string, [QueueKey, Uint8Array, number, number]>();
    for (const { device, envelope_id } of deleted) {
      const envelope = envelopes.get(envelope_id);
      if (!envelope) continue;
      const [, count, bytes] = queues.get(device) ?? [device, 0, 0];
      queues.set(device, [device, count - 1, bytes - envelope.size]);
      for (const holder of holderNames(envelope)) {
        const key = `${device} ${Buffer.from(holder).toString('latin1')}`;
        const [, , held, heldBytes] = shares.get(key) ?? [device, holder, 0, 0];
        shares.set(key, [device, holder, held - 1, heldBytes - envelope.size]);
      }
    }
    await countQueues([...queues.values()]);
    await countShares([...shares.values()]);
    await forgetShares([...shares.values()].map(([device, holder]) => [device, holder]));
    return deleted.map(({ envelope_id }) => envelope_id);
  }

  return {
    takeOut,

    /** Takes envelopes out of a queue, by their hashes. @returns how many were in it */
    async acknowledge(queue: QueueKey, hashes: readonly Buffer[]): Promise<number> {
      const waiting = new Map((await findWaiting(hashes.map((hash) => [hash]))).map((row) => [row.id, row]));
      const taken = await takeOut(
        [...waiting.keys()].map((id) => [queue, id] as const),
        waiting,
      );
      await lessPending(taken.map((id) => [id]));
      await deleteBodies(taken.flatMap((id) => (waiting.get(id)?.pending === 1 ? [[id]] : [])));
      return taken.length;
    },

    /** Takes everything out of a queue whose device is about to go. */
    async emptyQueue(queue: QueueKey): Promise<void> {
      await emptyCounters.run(queue);
      await lessPendingInQueue.run(queue);
      await deleteBodiesInQueue.run(queue);
      await deleteQueue.run(queue);
      await deleteShares.run(queue);
    },
  };
}
