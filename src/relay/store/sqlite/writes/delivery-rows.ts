/**
 * The rows of an envelope that waits: one `delivery` for each queue, one `sealed` body as long as any of them is left,
 * and the counters that go with them. Every write that adds or removes mail goes through here.
 */
import type { QueueKey } from '../../store.ts';
import type { Database } from '../database.ts';

interface EnvelopeRow {
  id: number;
  size: number;
  pending: number;
}

export function deliveryRows(database: Database) {
  const insertDelivery = database.prepare('INSERT INTO delivery VALUES (?, ?)');
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

  function release(envelope: EnvelopeRow): void {
    setPending.run(envelope.pending - 1, envelope.id);
    if (envelope.pending === 1) deleteBody.run(envelope.id);
  }

  return {
    /** Puts an envelope into a queue. */
    add(queue: QueueKey, envelopeId: number, size: number): void {
      insertDelivery.run(queue, envelopeId);
      count.run(1, size, queue);
    },

    /** Takes an envelope out of a queue. False if it was not in it. */
    remove(queue: QueueKey, envelope: EnvelopeRow): boolean {
      if (deleteDelivery.run(queue, envelope.id).changes === 0) return false;
      count.run(-1, -envelope.size, queue);
      release(envelope);
      return true;
    },

    /** Takes everything out of a queue whose device is about to go. */
    emptyQueue(queue: QueueKey): void {
      for (const envelope of queuedEnvelopes.all(queue)) release(envelope);
      deleteQueue.run(queue);
    },
  };
}
