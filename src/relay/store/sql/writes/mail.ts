/**
 * Writes of mail: accepting, acknowledging, expiring.
 */
import { RENEWAL_WINDOW } from '../../../../protocol/credentials.ts';
import type { AcceptOutcome, EnvelopesToAccept, EnvelopeToAccept, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { finder, placeholders } from '../rows-at-once.ts';
import { addressToBlob, blobToAddress, toBlob, wireAddress } from '../values.ts';
import { auditExpiry } from './audit.ts';
import { type Copy, copyWrites, sendingOf } from './copies.ts';
import { deliveryRows } from './delivery-rows.ts';
import { queueReads } from './queues.ts';

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
  const findQueues = queueReads(database);
  const findDeleted = finder<{ address: Buffer }>(
    database,
    (addresses) =>
      `SELECT address FROM account
        WHERE address IN (${placeholders(addresses, 1)}) AND deleted_at IS NOT NULL`,
  );
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

  /** Those of some addresses whose accounts were deleted. */
  async function deletedAmong(addresses: readonly string[]): Promise<Set<string>> {
    const rows = await findDeleted(addresses.map((address) => [addressToBlob(address)]));
    return new Set(rows.map((row) => blobToAddress(row.address)));
  }

  return {
    /**
     * Accepts what some requests bring, as if one came after the other.
     * @returns for each request outcomes in the order of its envelopes
     */
    async acceptEnvelopes(requests: readonly EnvelopesToAccept[]): Promise<AcceptOutcome[][]> {
      const all = requests.flatMap((request, index) => {
        const sending = sendingOf(request);
        return request.envelopes.map((envelope) => ({ sending, envelope, index }));
      });
      const accepted = await copies.acceptedBefore(all.map(({ envelope }) => envelope));
      const placeOf = ({ envelope, sending: { now } }: (typeof all)[number]) => ({ ...envelope, now });
      const queuesOf = await findQueues(all.map(placeOf));
      const looked = all.map((one) => ({ ...one, queues: queuesOf(placeOf(one)) }));
      const isHomeless = ({ envelope, queues }: Copy) => queues.length === 0 && !accepted.has(envelope.id);
      const homeless = looked.filter(isHomeless);
      const deleted = await deletedAmong(homeless.map(({ envelope }) => envelope.to));
      const housed = looked.filter((one) => !isHomeless(one));

      const outcomes = requests.map((): AcceptOutcome[] => []);
      const stored = (await copies.store(housed, accepted)).values();
      const without = new Set<Copy>(homeless);
      for (const one of looked) {
        const outcome = without.has(one) ? refusal(one.envelope, deleted) : stored.next().value;
        if (outcome) outcomes[one.index]?.push(outcome);
      }
      return outcomes;
    },

    /** Takes envelopes out of a queue. @returns how many were in it */
    acknowledge: (queue: QueueKey, ids: readonly string[]): Promise<number> =>
      rows.take(queue, ids.map(toBlob)),

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

/** Why a copy has no queue. */
function refusal({ to, recipientDeviceKey }: EnvelopeToAccept, deleted: ReadonlySet<string>): AcceptOutcome {
  if (deleted.has(wireAddress(to))) return { status: 'account_deleted' };
  return { status: recipientDeviceKey === null ? 'no_devices' : 'unknown_device' };
}
