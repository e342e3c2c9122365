/**
 * Writes of mail: accepting, acknowledging, expiring.
 */
import { RENEWAL_WINDOW } from '../../../../protocol/figures.ts';
import type { Origin } from '../../../rules/queue-share.ts';
import type { AcceptOutcome, EnvelopesToAccept, EnvelopeToAccept, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { finder, placeholders, writer } from '../rows-at-once.ts';
import { addressToBlob, blobToAddress, toBlob, wireAddress } from '../values.ts';
import { auditExpiry } from './audit.ts';
import { type Copy, copyWrites, sendingOf } from './copies.ts';
import { deliveryRows } from './delivery-rows.ts';
import { queueReads } from './queues.ts';

/** Envelopes that one expiry takes away, so that it never holds up the writer for long. */
const EXPIRY_BATCH = 500;
/** A renewal may be dated ahead by one window, and counts for one window after. */
const RENEWAL_MEMORY = 2 * RENEWAL_WINDOW;

/** An envelope, with its body if a queue still holds it. */
interface ExpiringRow extends Partial<Origin> {
  id: number;
  accepted_at: number;
  size: number;
  account_id: number | null;
}

/** How long a report that nobody settles is kept, in milliseconds. */
const REPORT_LIFE = 180 * 24 * 3_600_000;
/** Reports that are kept, the newest. */
const MOST_REPORTS = 100_000;

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
  const oldest = database.prepare<[], ExpiringRow>(
    `SELECT id, accepted_at, size, account_id, sender, via, network
       FROM envelope LEFT JOIN sealed ON sealed.envelope_id = envelope.id
      ORDER BY id LIMIT ${EXPIRY_BATCH}`,
  );
  const devicesOf = finder<{ id: number; account_id: number }>(
    database,
    (accounts) => `SELECT id, account_id FROM device WHERE account_id IN (${placeholders(accounts, 1)})`,
  );
  const deleteBodies = writer(
    database,
    (ids) => `DELETE FROM sealed WHERE envelope_id IN (${placeholders(ids, 1)})`,
  );
  const deleteEnvelopes = writer(
    database,
    (ids) => `DELETE FROM envelope WHERE id IN (${placeholders(ids, 1)})`,
  );
  const expireChallenges = database.prepare('DELETE FROM challenge WHERE expires_at <= ?');
  const expireSessions = database.prepare(
    "DELETE FROM credential WHERE type = 'session' AND expires_at <= ?",
  );
  const expireRetiredKeys = database.prepare('DELETE FROM retired_key WHERE retired_at < ?');
  const expireLinks = database.prepare('DELETE FROM link WHERE expires_at <= ?');
  const expireKeptHandles = database.prepare('DELETE FROM kept_handle WHERE until <= ?');
  const expireReports = database.prepare('DELETE FROM report WHERE reported_at <= ?');
  // By how many there are: who reports again and again uses up many ids, and has few reports.
  const forgetReports = database.prepare<[number]>(
    'DELETE FROM report WHERE id <= (SELECT id FROM report ORDER BY id DESC LIMIT 1 OFFSET ?)',
  );
  const expireAdmissions = database.prepare('DELETE FROM group_admission WHERE until <= ?');
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
      rows.acknowledge(queue, ids.map(toBlob)),

    /** Removes logins, links, handles, admissions and keys whose time is over. */
    async expireRest(now: number, acceptedBefore: number): Promise<void> {
      await expireChallenges.run(now);
      await expireSessions.run(now);
      await expireLinks.run(now);
      await expireKeptHandles.run(now);
      await expireInvitations.run(now);
      await expireAdmissions.run(now);
      await expireReports.run(now - REPORT_LIFE);
      await forgetReports.run(MOST_REPORTS);
      await expireRenewals.run(now - RENEWAL_MEMORY);
      await expireRetiredKeys.run(acceptedBefore);
    },

    /** Removes a small batch of the oldest envelopes. @returns whether there may be more */
    async expireMail(acceptedBefore: number): Promise<boolean> {
      const batch = (await oldest.all()).filter((envelope) => envelope.accepted_at < acceptedBefore);
      const waiting = batch.flatMap((row) => (isWaiting(row) ? row : []));
      const accounts = [...new Set(waiting.map((row) => row.account_id))];
      const devices = Map.groupBy(await devicesOf(accounts.map((id) => [id])), (row) => row.account_id);
      const pairs = waiting.flatMap(({ id, account_id }) =>
        (devices.get(account_id) ?? []).map((device) => [device.id, id] as const),
      );
      await rows.takeOut(pairs, new Map(waiting.map((row) => [row.id, row])));
      await deleteBodies(waiting.map(({ id }) => [id]));
      await deleteEnvelopes(batch.map(({ id }) => [id]));
      return batch.length === EXPIRY_BATCH;
    },

    /** Removes a small batch of the beginning of the audit log. @returns whether there may be more */
    expireAudit,
  };
}

function isWaiting(row: ExpiringRow): row is ExpiringRow & { account_id: number } & Origin {
  return row.account_id !== null;
}

/** Why a copy has no queue. */
function refusal({ to, recipientDeviceKey }: EnvelopeToAccept, deleted: ReadonlySet<string>): AcceptOutcome {
  if (deleted.has(wireAddress(to))) return { status: 'account_deleted' };
  return { status: recipientDeviceKey === null ? 'no_devices' : 'unknown_device' };
}
