/**
 * The rows of an envelope that waits: one `delivery` for each queue, one `sealed` body as long as any of them is left,
 * and the counters that go with them, of the queue and of who fills it. Every write that adds or removes mail goes
 * through here.
 */
import type { CredentialType } from '../../../../protocol/credentials.ts';
import type { Waiting } from '../../queue-share.ts';
import type { QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';

interface EnvelopeRow {
  id: number;
  size: number;
  pending: number;
}

/** Where an envelope comes from. */
export interface Origin {
  /** The address under which it is routed. */
  sender: Buffer;
  via: CredentialType;
  /** The name of the network, where it says something. */
  network: Buffer | null;
}

/** Follows an address that stands for its programs. */
const PROGRAMS = Buffer.of(1);

/** Who takes up the room of an envelope, as `queue_share` names them. */
export function holdersOf({ sender, via, network }: Origin) {
  return { sender, programs: via === 'session' ? null : Buffer.concat([sender, PROGRAMS]), network };
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

  const findOrigin = database.prepare<[number], Origin>(
    'SELECT sender, via, network FROM sealed WHERE envelope_id = ?',
  );
  const findShare = database.prepare<[number, Buffer], Waiting>(
    'SELECT envelopes, bytes FROM queue_share WHERE device = ? AND holder = ?',
  );
  const growShare = database.prepare(
    `INSERT INTO queue_share VALUES (?, ?, 1, ?)
     ON CONFLICT (device, holder) DO UPDATE SET envelopes = envelopes + 1, bytes = bytes + excluded.bytes`,
  );
  const shrinkShare = database
    .prepare<[number, number, Buffer], number>(
      `UPDATE queue_share SET envelopes = envelopes - 1, bytes = bytes - ? WHERE device = ? AND holder = ?
       RETURNING envelopes`,
    )
    .pluck();
  const deleteShare = database.prepare('DELETE FROM queue_share WHERE device = ? AND holder = ?');
  const deleteShares = database.prepare('DELETE FROM queue_share WHERE device = ?');

  function release(envelope: EnvelopeRow): void {
    setPending.run(envelope.pending - 1, envelope.id);
    if (envelope.pending === 1) deleteBody.run(envelope.id);
  }

  function* holders(origin: Origin): Generator<Buffer> {
    for (const holder of Object.values(holdersOf(origin))) if (holder) yield holder;
  }

  return {
    /** What a holder has in a queue. */
    waitingOf(queue: QueueKey, holder: Buffer): Waiting {
      return findShare.get(queue, holder) ?? { envelopes: 0, bytes: 0 };
    },

    /** Puts an envelope into a queue. */
    add(queue: QueueKey, envelopeId: number, size: number, origin: Origin): void {
      insertDelivery.run(queue, envelopeId);
      count.run(1, size, queue);
      for (const holder of holders(origin)) growShare.run(queue, holder, size);
    },

    /** Takes an envelope out of a queue. False if it was not in it. */
    remove(queue: QueueKey, envelope: EnvelopeRow): boolean {
      if (deleteDelivery.run(queue, envelope.id).changes === 0) return false;
      count.run(-1, -envelope.size, queue);
      const origin = findOrigin.get(envelope.id);
      for (const holder of origin ? holders(origin) : []) {
        if (shrinkShare.get(envelope.size, queue, holder) === 0) deleteShare.run(queue, holder);
      }
      release(envelope);
      return true;
    },

    /** Takes everything out of a queue whose device is about to go. */
    emptyQueue(queue: QueueKey): void {
      for (const envelope of queuedEnvelopes.all(queue)) release(envelope);
      deleteQueue.run(queue);
      deleteShares.run(queue);
    },
  };
}
