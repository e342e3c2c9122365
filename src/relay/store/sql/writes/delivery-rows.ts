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
  const insertDelivery = database.prepare('INSERT INTO delivery (device, envelope_id) VALUES (?, ?)');
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
    `INSERT INTO queue_share (device, holder, envelopes, bytes) VALUES (?, ?, 1, ?)
     ON CONFLICT (device, holder) DO UPDATE
       SET envelopes = queue_share.envelopes + 1, bytes = queue_share.bytes + excluded.bytes`,
  );
  const shrinkShare = database
    .prepare<[number, number, Buffer], number>(
      `UPDATE queue_share SET envelopes = envelopes - 1, bytes = bytes - ? WHERE device = ? AND holder = ?
       RETURNING envelopes`,
    )
    .pluck();
  const deleteShare = database.prepare('DELETE FROM queue_share WHERE device = ? AND holder = ?');
  const deleteShares = database.prepare('DELETE FROM queue_share WHERE device = ?');

  async function release(envelope: EnvelopeRow): Promise<void> {
    await setPending.run(envelope.pending - 1, envelope.id);
    if (envelope.pending === 1) await deleteBody.run(envelope.id);
  }

  function* holders(origin: Origin): Generator<Buffer> {
    for (const holder of Object.values(holdersOf(origin))) if (holder) yield holder;
  }

  return {
    /** What a holder has in a queue. */
    async waitingOf(queue: QueueKey, holder: Buffer): Promise<Waiting> {
      return (await findShare.get(queue, holder)) ?? { envelopes: 0, bytes: 0 };
    },

    /** Puts an envelope into a queue. */
    async add(queue: QueueKey, envelopeId: number, size: number, origin: Origin): Promise<void> {
      await insertDelivery.run(queue, envelopeId);
      await count.run(1, size, queue);
      for (const holder of holders(origin)) await growShare.run(queue, holder, size);
    },

    /** Takes an envelope out of a queue. False if it was not in it. */
    async remove(queue: QueueKey, envelope: EnvelopeRow): Promise<boolean> {
      if ((await deleteDelivery.run(queue, envelope.id)).changes === 0) return false;
      await count.run(-1, -envelope.size, queue);
      const origin = await findOrigin.get(envelope.id);
      for (const holder of origin ? holders(origin) : []) {
        if ((await shrinkShare.get(envelope.size, queue, holder)) === 0) await deleteShare.run(queue, holder);
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
