/**
 * The rows of an envelope that waits: one `delivery` for each queue, one `sealed` body as long as any of them is left,
 * and the counters that go with them, of the queue and of who fills it. Every write that adds or removes mail goes
 * through here.
 */
import { holderNames, type Origin } from '../../../rules/queue-share.ts';
import type { QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { anyOf, finder, placeholders, returningWriter, writer } from '../rows-at-once.ts';

interface EnvelopeRow {
  id: number;
  size: number;
  pending: number;
}

export function deliveryRows(database: Database) {
  const deleteDelivery = database.prepare('DELETE FROM delivery WHERE device = ? AND envelope_id = ?');
  const deleteQueue = database.prepare('DELETE FROM delivery WHERE device = ?');
  const queuedEnvelopes = database.prepare<[number], EnvelopeRow>(
    `SELECT envelope.id, size, pending FROM delivery JOIN envelope ON envelope.id = delivery.envelope_id
      WHERE device = ?`,
  );
  const count = database.prepare(
    'UPDATE device SET queued = queued + ?, queued_bytes = queued_bytes + ? WHERE id = ?',
  );
  const setPending = database.prepare('UPDATE envelope SET pending = ? WHERE id = ?');
  const deleteBody = database.prepare('DELETE FROM sealed WHERE envelope_id = ?');

  const findOrigin = database.prepare<[number], Origin>(
    'SELECT sender, via, network FROM sealed WHERE envelope_id = ?',
  );
  const shrinkShare = database
    .prepare<[number, number, number, Uint8Array], number>(
      `UPDATE queue_share SET envelopes = envelopes - ?, bytes = bytes - ? WHERE device = ? AND holder = ?
       RETURNING envelopes`,
    )
    .pluck();
  const deleteShare = database.prepare('DELETE FROM queue_share WHERE device = ? AND holder = ?');
  const findWaiting = finder<EnvelopeRow & Origin & { hash: Buffer }>(
    database,
    (hashes) =>
      `SELECT envelope.id, hash, size, pending, sender, via, network
         FROM envelope JOIN sealed ON sealed.envelope_id = envelope.id
        WHERE hash IN (${placeholders(hashes, 1)})`,
  );
  const deleteDeliveries = returningWriter<{ envelope_id: number }>(
    database,
    (pairs) => `DELETE FROM delivery WHERE ${anyOf(pairs, ['device', 'envelope_id'])} RETURNING envelope_id`,
  );
  const lessPending = writer(
    database,
    (ids) => `UPDATE envelope SET pending = pending - 1 WHERE id IN (${placeholders(ids, 1)})`,
  );
  const deleteBodies = writer(
    database,
    (ids) => `DELETE FROM sealed WHERE envelope_id IN (${placeholders(ids, 1)})`,
  );
  const deleteShares = database.prepare('DELETE FROM queue_share WHERE device = ?');

  async function release(envelope: EnvelopeRow): Promise<void> {
    await setPending.run(envelope.pending - 1, envelope.id);
    if (envelope.pending === 1) await deleteBody.run(envelope.id);
  }

  return {
    /** Takes envelopes out of a queue, by their hashes. @returns how many were in it */
    async take(queue: QueueKey, hashes: readonly Buffer[]): Promise<number> {
      const waiting = new Map((await findWaiting(hashes.map((hash) => [hash]))).map((row) => [row.id, row]));
      const deleted = await deleteDeliveries([...waiting.keys()].map((id) => [queue, id]));
      const taken = deleted.flatMap(({ envelope_id }) => waiting.get(envelope_id) ?? []);
      if (taken.length === 0) return 0;
      let bytes = 0;
      const shares = new Map<string, { holder: Uint8Array; envelopes: number; bytes: number }>();
      for (const row of taken) {
        bytes += row.size;
        for (const holder of holderNames(row)) {
          const name = Buffer.from(holder).toString('latin1');
          const less = shares.get(name) ?? { holder, envelopes: 0, bytes: 0 };
          shares.set(name, { holder, envelopes: less.envelopes + 1, bytes: less.bytes + row.size });
        }
      }
      await count.run(-taken.length, -bytes, queue);
      for (const { holder, envelopes, bytes: size } of shares.values()) {
        if ((await shrinkShare.get(envelopes, size, queue, holder)) === 0)
          await deleteShare.run(queue, holder);
      }
      await lessPending(taken.map(({ id }) => [id]));
      await deleteBodies(taken.flatMap(({ id, pending }) => (pending === 1 ? [[id]] : [])));
      return taken.length;
    },

    /** Takes an envelope out of a queue. False if it was not in it. */
    async remove(queue: QueueKey, envelope: EnvelopeRow): Promise<boolean> {
      if ((await deleteDelivery.run(queue, envelope.id)).changes === 0) return false;
      await count.run(-1, -envelope.size, queue);
      const origin = await findOrigin.get(envelope.id);
      for (const holder of origin ? holderNames(origin) : []) {
        if ((await shrinkShare.get(1, envelope.size, queue, holder)) === 0)
          await deleteShare.run(queue, holder);
      }
      await release(envelope);
      return true;
    },

    /** Takes everything out of a queue whose device is about to go. */
    async emptyQueue(queue: QueueKey): Promise<void> {
      for (const envelope of await queuedEnvelopes.all(queue)) await release(envelope);
      await deleteQueue.run(queue);
      await deleteShares.run(queue);
    },
  };
}
