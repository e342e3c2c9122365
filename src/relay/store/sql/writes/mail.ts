/**
 * Writes of mail: accepting, acknowledging, expiring.
 */
import { RENEWAL_WINDOW } from '../../../../protocol/credentials.ts';
import type { AcceptOutcome, EnvelopesToAccept, EnvelopeToAccept, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob, toBlob } from '../values.ts';
import { auditExpiry } from './audit.ts';
import { copyWrites, type QueueRow, type Sending, sendingOf } from './copies.ts';
import { deliveryRows } from './delivery-rows.ts';

/** Envelopes that one expiry takes away, so that it never holds up the writer for long. */
const EXPIRY_BATCH = 500;
/** A renewal may be dated ahead by one window, and counts for one window after. */
const RENEWAL_MEMORY = 2 * RENEWAL_WINDOW;

interface EnvelopeRow {
  id: number;
  accepted_at: number;
  size: number;
  pending: number;
}

export function mailWrites(database: Database) {
  const copies = copyWrites(database);
  const rows = deliveryRows(database);
  const expireAudit = auditExpiry(database);
  const findEnvelope = database.prepare<[Buffer], EnvelopeRow>(
    'SELECT id, accepted_at, size, pending FROM envelope WHERE hash = ?',
  );
  const queuesOfAddress = database.prepare<[Buffer], QueueRow>(
    `SELECT device.id, account_id, queued, queued_bytes
       FROM account JOIN device ON device.account_id = account.id
      WHERE address = ?`,
  );
  const isDeleted = database
    .prepare<[Buffer], number>('SELECT 1 FROM account WHERE address = ? AND deleted_at IS NOT NULL')
    .pluck();
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
  const expireRetiredKeys = database.prepare('DELETE FROM retired_key WHERE retired_at < ?');
  const expireLinks = database.prepare('DELETE FROM link WHERE expires_at <= ?');
  const expireKeptHandles = database.prepare('DELETE FROM kept_handle WHERE until <= ?');
  const expireInvitations = database.prepare('DELETE FROM account_invitation WHERE expires_at <= ?');
  const expireRenewals = database.prepare('DELETE FROM renewal WHERE issued_at <= ?');

  async function accept(sending: Sending, envelope: EnvelopeToAccept): Promise<AcceptOutcome> {
    const acceptedAt = await copies.acceptedBefore(envelope);
    if (acceptedAt !== null) return { status: 'duplicate', acceptedAt };
    const { to, recipientDeviceKey } = envelope;
    if (recipientDeviceKey !== null) {
      const queue = await copies.queueOfKey(recipientDeviceKey, to, sending.now);
      return queue
        ? await copies.store(sending, envelope, [queue])
        : { status: await unknown(to, 'unknown_device') };
    }
    const [first, ...others] = await queuesOfAddress.all(addressToBlob(to));
    return first
      ? await copies.store(sending, envelope, [first, ...others])
      : { status: await unknown(to, 'no_devices') };
  }

  /** Why there is no queue at an address. */
  async function unknown<S extends string>(to: string, otherwise: S): Promise<S | 'account_deleted'> {
    return (await isDeleted.get(addressToBlob(to))) ? 'account_deleted' : otherwise;
  }

  return {
    async acceptEnvelopes(request: EnvelopesToAccept): Promise<AcceptOutcome[]> {
      const sending = sendingOf(request);
      const outcomes: AcceptOutcome[] = [];
      for (const envelope of request.envelopes) outcomes.push(await accept(sending, envelope));
      return outcomes;
    },

    async acknowledge(queue: QueueKey, ids: string[]): Promise<number> {
      let acknowledged = 0;
      for (const id of ids) {
        const envelope = await findEnvelope.get(toBlob(id));
        if (envelope && envelope.pending > 0 && (await rows.remove(queue, envelope))) acknowledged++;
      }
      return acknowledged;
    },

    async expire(now: number, acceptedBefore: number, auditBefore: number): Promise<boolean> {
      await expireChallenges.run(now);
      await expireSessions.run(now);
      await expireLinks.run(now);
      await expireKeptHandles.run(now);
      await expireInvitations.run(now);
      await expireRenewals.run(now - RENEWAL_MEMORY);
      await expireRetiredKeys.run(acceptedBefore);
      const batch = (await oldest.all()).filter((envelope) => envelope.accepted_at < acceptedBefore);
      for (const envelope of batch) {
        if (envelope.account_id !== null) {
          for (const device of await devicesOfAccount.all(envelope.account_id)) {
            if (await rows.remove(device.id, envelope)) envelope.pending--;
          }
        }
        await deleteEnvelope.run(envelope.id);
      }
      const isMoreAudit = await expireAudit(auditBefore);
      return batch.length === EXPIRY_BATCH || isMoreAudit;
    },
  };
}
