/**
 * One sealed copy into the queues that it is for. Direct mail and posts to groups go through here.
 */
import type { AcceptOutcome, EnvelopesToAccept, EnvelopeToAccept } from '../../store.ts';
import type { Database } from '../database.ts';
import { addressToBlob, toBlob } from '../values.ts';
import { deliveryRows } from './delivery-rows.ts';

export interface QueueRow {
  id: number;
  account_id: number;
  queued: number;
  queued_bytes: number;
}

/** What the copies of one request have in common. */
export interface Sending extends Omit<EnvelopesToAccept, 'envelopes' | 'from'> {
  from: Buffer;
  /** Public id of the group that it is posted to. */
  groupId: string | null;
}

export function copyWrites(database: Database) {
  const rows = deliveryRows(database);
  const findEnvelope = database.prepare<[Buffer], { accepted_at: number }>(
    'SELECT accepted_at FROM envelope WHERE hash = ?',
  );
  const queueOfKey = database.prepare<[Buffer, Buffer, number], QueueRow>(
    `SELECT device.id, account_id, queued, queued_bytes
       FROM device JOIN account ON account.id = device.account_id
      WHERE seal_key = ? AND address = ? AND expires_at > ?`,
  );
  const insertEnvelope = database.prepare(
    'INSERT INTO envelope (hash, accepted_at, size, pending) VALUES (?, ?, ?, ?)',
  );
  const insertBody = database.prepare('INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');

  return {
    /** When this very copy was accepted before, or null. */
    acceptedBefore(envelope: EnvelopeToAccept): number | null {
      return findEnvelope.get(toBlob(envelope.id))?.accepted_at ?? null;
    },

    /** The queue of the device that has this seal key now. */
    queueOfKey(sealKey: string, address: string, now: number): QueueRow | null {
      return queueOfKey.get(toBlob(sealKey), addressToBlob(address), now) ?? null;
    },

    /** Stores a copy that was not accepted before, unless one of its queues is full; keeps their counts true. */
    store(
      sending: Sending,
      envelope: EnvelopeToAccept,
      queues: readonly [QueueRow, ...QueueRow[]],
    ): AcceptOutcome {
      const { limits, now } = sending;
      const ciphertext = toBlob(envelope.ciphertext);
      const size = ciphertext.length;
      const isFull = (queue: QueueRow) =>
        queue.queued >= limits.queueEnvelopes || queue.queued_bytes + size > limits.queueBytes;
      if (queues.some(isFull)) return { status: 'inbox_full' };

      const id = Number(insertEnvelope.run(toBlob(envelope.id), now, size, queues.length).lastInsertRowid);
      insertBody.run(
        id,
        queues[0].account_id,
        sending.from,
        sending.via,
        envelope.asRequest ? 1 : 0,
        envelope.recipientDeviceKey === null ? null : toBlob(envelope.recipientDeviceKey),
        toBlob(envelope.ephemeralPublicKey),
        toBlob(envelope.nonce),
        ciphertext,
        sending.groupId,
      );
      for (const queue of queues) {
        rows.add(queue.id, id, size);
        queue.queued++;
        queue.queued_bytes += size;
      }
      return { status: 'accepted', acceptedAt: now, queues: queues.map((queue) => queue.id) };
    },
  };
}
