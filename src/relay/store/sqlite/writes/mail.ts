/**
 * Writes of mail: accepting, acknowledging, expiring.
 */
import { RENEWAL_WINDOW } from '../../../../protocol/credentials.ts';
import type { AcceptOutcome, EnvelopesToAccept, EnvelopeToAccept, QueueKey } from '../../store.ts';
import type { Database } from '../database.ts';
import { addressToBlob, toBlob } from '../values.ts';
import { deliveryRows } from './delivery-rows.ts';

/** Envelopes that one expiry takes away, so that it never holds up the writer for long. */
const EXPIRY_BATCH = 500;
/** A renewal may be dated ahead by one window, and counts for one window after. */
const RENEWAL_MEMORY = 2 * RENEWAL_WINDOW;

interface QueueRow {
  id: number;
  account_id: number;
  queued: number;
  queued_bytes: number;
}

interface EnvelopeRow {
  id: number;
  accepted_at: number;
  size: number;
  pending: number;
}

export function mailWrites(database: Database) {
  const rows = deliveryRows(database);
  const findEnvelope = database.prepare<[Buffer], EnvelopeRow>(
    'SELECT id, accepted_at, size, pending FROM envelope WHERE hash = ?',
  );
  const queueOfKey = database.prepare<[Buffer, Buffer, number], QueueRow>(
    `SELECT device.id, account_id, queued, queued_bytes
       FROM device JOIN account ON account.id = device.account_id
      WHERE seal_key = ? AND address = ? AND expires_at > ?`,
  );
  const queuesOfAddress = database.prepare<[Buffer], QueueRow>(
    `SELECT device.id, account_id, queued, queued_bytes
       FROM account JOIN device ON device.account_id = account.id
      WHERE address = ?`,
  );
  const insertEnvelope = database.prepare(
    'INSERT INTO envelope (hash, accepted_at, size, pending) VALUES (?, ?, ?, ?)',
  );
  const insertBody = database.prepare('INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const oldest = database.prepare<[], EnvelopeRow & { account_id: number | null }>(
    `SELECT id, accepted_at, size, pending, account_id
       FROM envelope LEFT JOIN sealed ON sealed.envelope_id = envelope.id
      ORDER BY id LIMIT ${EXPIRY_BATCH}`,
  );
  const devicesOfAccount = database.prepare<[number], { id: number }>(
    'SELECT id FROM device WHERE account_id = ?',
  );
  const deleteEnvelope = database.prepare('DELETE FROM envelope WHERE id = ?');
  const expireChallenges = database.prepare('DELETE FROM challenge WHERE expires_at <= ?');
  const expireSessions = database.prepare(
    "DELETE FROM credential WHERE type = 'session' AND expires_at <= ?",
  );
  const expireRenewals = database.prepare('DELETE FROM renewal WHERE issued_at <= ?');

  function findQueues(envelope: EnvelopeToAccept, now: number): QueueRow[] {
    const address = addressToBlob(envelope.to);
    if (envelope.recipientDeviceKey === null) return queuesOfAddress.all(address);
    const queue = queueOfKey.get(toBlob(envelope.recipientDeviceKey), address, now);
    return queue ? [queue] : [];
  }

  function accept(request: EnvelopesToAccept, from: Buffer, envelope: EnvelopeToAccept): AcceptOutcome {
    const hash = toBlob(envelope.id);
    const earlier = findEnvelope.get(hash);
    if (earlier) return { status: 'duplicate', acceptedAt: earlier.accepted_at };

    const queues = findQueues(envelope, request.now);
    const [first] = queues;
    if (!first) return { status: envelope.recipientDeviceKey === null ? 'no_devices' : 'unknown_device' };
    const { limits, now } = request;
    const ciphertext = toBlob(envelope.ciphertext);
    const size = ciphertext.length;
    const isFull = (queue: QueueRow) =>
      queue.queued >= limits.queueEnvelopes || queue.queued_bytes + size > limits.queueBytes;
    if (queues.some(isFull)) return { status: 'inbox_full' };

    const id = Number(insertEnvelope.run(hash, now, size, queues.length).lastInsertRowid);
    insertBody.run(
      id,
      first.account_id,
      from,
      request.via,
      envelope.asRequest ? 1 : 0,
      envelope.recipientDeviceKey === null ? null : toBlob(envelope.recipientDeviceKey),
      toBlob(envelope.ephemeralPublicKey),
      toBlob(envelope.nonce),
      ciphertext,
    );
    for (const queue of queues) rows.add(queue.id, id, size);
    return { status: 'accepted', acceptedAt: now, queues: queues.map((queue) => queue.id) };
  }

  return {
    acceptEnvelopes(request: EnvelopesToAccept): AcceptOutcome[] {
      const from = addressToBlob(request.from);
      return request.envelopes.map((envelope) => accept(request, from, envelope));
    },

    acknowledge(queue: QueueKey, ids: string[]): number {
      let acknowledged = 0;
      for (const id of ids) {
        const envelope = findEnvelope.get(toBlob(id));
        if (envelope && envelope.pending > 0 && rows.remove(queue, envelope)) acknowledged++;
      }
      return acknowledged;
    },

    expire(now: number, acceptedBefore: number): boolean {
      expireChallenges.run(now);
      expireSessions.run(now);
      expireRenewals.run(now - RENEWAL_MEMORY);
      const batch = oldest.all().filter((envelope) => envelope.accepted_at < acceptedBefore);
      for (const envelope of batch) {
        if (envelope.account_id !== null) {
          for (const device of devicesOfAccount.all(envelope.account_id)) {
            if (rows.remove(device.id, envelope)) envelope.pending--;
          }
        }
        deleteEnvelope.run(envelope.id);
      }
      return batch.length === EXPIRY_BATCH;
    },
  };
}
