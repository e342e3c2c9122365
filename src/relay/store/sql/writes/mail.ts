/**
 * Writes of mail: accepting, acknowledging, expiring.
 */
import { RENEWAL_WINDOW } from '../../../../protocol/figures.ts';
import type { Origin } from '../../../rules/queue-share.ts';
import type { AcceptOutcome, EnvelopesToAccept, EnvelopeToAccept, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { accountsByAddress } from '../reads/accounts.ts';
import { anyOf, finder, writer } from '../rows-at-once.ts';
import { toBlob, wireAddress } from '../values.ts';
import { auditExpiry } from './audit.ts';
import { type Copy, copyWrites, sendingOf } from './copies.ts';
import { deliveryRows } from './delivery-rows.ts';
import { knownCopies } from './known-copies.ts';
import { queueReads } from './queues.ts';

/** The most envelopes that one expiry deletes, so that it never blocks the writer for long. */
const EXPIRY_BATCH = 500;
/** A renewal may be dated ahead by one window, and counts for one window after. */
const RENEWAL_MEMORY = 2 * RENEWAL_WINDOW;

/** An envelope, with its body if a queue still has it. */
interface ExpiringRow extends Partial<Origin> {
  id: number;
  bucket: number;
  accepted_at: number;
  size: number;
  account_id: number | null;
}

/** The lifetime of an unsettled report, in milliseconds. */
const REPORT_LIFE = 180 * 24 * 3_600_000;
/** The most reports; the newest are kept. */
const MAX_REPORTS = 100_000;

export function mailWrites(database: Database) {
  const copies = copyWrites(database, 'snapshot');
  const rows = deliveryRows(database);
  const expireAudit = auditExpiry(database);
  const readKnown = knownCopies(database);
  const findQueues = queueReads(database);
  const findAccounts = accountsByAddress(database);
  const oldest = database.prepare<[], ExpiringRow>(
    `SELECT id, envelope.bucket, accepted_at, size, account_id, sender, via, network
       FROM envelope LEFT JOIN sealed ON sealed.envelope_id = envelope.id AND sealed.bucket = envelope.bucket
      ORDER BY id LIMIT ${EXPIRY_BATCH}`,
  );
  const devicesOf = finder<{ id: number; account_id: number }>(
    database,
    { account_id: 'integer' },
    (matches) => `SELECT id, account_id FROM device WHERE ${matches}`,
  );
  const deleteBodies = writer(
    database,
    (ids) => `DELETE FROM sealed WHERE ${anyOf(ids, ['envelope_id', 'bucket'])}`,
  );
  const deleteEnvelopes = writer(
    database,
    (ids) => `DELETE FROM envelope WHERE ${anyOf(ids, ['id', 'bucket'])}`,
  );
  const expireChallenges = database.prepare('DELETE FROM challenge WHERE expires_at <= ?');
  const expireSessions = database.prepare(
    "DELETE FROM credential WHERE type = 'session' AND expires_at <= ?",
  );
  const expireRetiredKeys = database.prepare('DELETE FROM retired_key WHERE retired_at < ?');
  const expireLinks = database.prepare('DELETE FROM link WHERE expires_at <= ?');
  const expireKeptHandles = database.prepare('DELETE FROM kept_handle WHERE until <= ?');
  const expireReports = database.prepare('DELETE FROM report WHERE reported_at <= ?');
  // Counted as rows: a frequent reporter uses up many ids, and has few reports.
  const forgetReports = database.prepare<[number]>(
    'DELETE FROM report WHERE id <= (SELECT id FROM report ORDER BY id DESC LIMIT 1 OFFSET ?)',
  );
  const expireAdmissions = database.prepare('DELETE FROM group_admission WHERE until <= ?');
  const expireInvitations = database.prepare('DELETE FROM account_invitation WHERE expires_at <= ?');
  const expireRenewals = database.prepare('DELETE FROM renewal WHERE issued_at <= ?');

  return {
    /**
     * Accepts the mail of several requests, as if one request followed the other.
     * @returns for each request outcomes in the order of its envelopes
     */
    async acceptEnvelopes(requests: readonly EnvelopesToAccept[]): Promise<AcceptOutcome[][]> {
      const all = requests.flatMap((request, index) => {
        const sending = sendingOf(request);
        return request.envelopes.map((envelope) => ({ sending, envelope, index }));
      });
      const known = await readKnown?.(all);
      const queuesOf = await findQueues(all, known?.queues);
      const looked = all.map((one) => ({ ...one, hash: toBlob(one.envelope.id), queues: queuesOf(one) }));
      const accounts = await findAccounts(
        looked.flatMap(({ envelope, queues }) => (queues.length === 0 ? envelope.to : [])),
      );
      const accountOf = ({ envelope, queues }: Copy) =>
        queues[0]?.account ?? accounts.get(wireAddress(envelope.to))?.id;
      const state = await copies.look(
        looked.flatMap((copy) => {
          const account = accountOf(copy);
          return account === undefined ? [] : { id: copy.envelope.id, hash: copy.hash, account };
        }),
        looked,
        known,
      );
      const homeless = new Set<Copy>(
        looked.filter(({ envelope, queues }) => queues.length === 0 && !state.accepted.has(envelope.id)),
      );

      const outcomes = requests.map((): AcceptOutcome[] => []);
      const stored = (
        await copies.store(
          looked.filter((one) => !homeless.has(one)),
          state,
        )
      ).values();
      for (const one of looked) {
        const isDeleted = () => accounts.get(wireAddress(one.envelope.to))?.isDeleted ?? false;
        const outcome = homeless.has(one) ? refusal(one.envelope, isDeleted()) : stored.next().value;
        if (outcome) outcomes[one.index]?.push(outcome);
      }
      return outcomes;
    },

    /** Removes envelopes from a queue. @returns the number removed */
    acknowledge: (queue: QueueKey, ids: readonly string[]): Promise<number> =>
      rows.acknowledge(queue, ids.map(toBlob)),

    /** Deletes expired logins, links, handles, admissions and keys. */
    async expireRest(now: number, acceptedBefore: number): Promise<void> {
      await expireChallenges.run(now);
      await expireSessions.run(now);
      await expireLinks.run(now);
      await expireKeptHandles.run(now);
      await expireInvitations.run(now);
      await expireAdmissions.run(now);
      await expireReports.run(now - REPORT_LIFE);
      await forgetReports.run(MAX_REPORTS);
      await expireRenewals.run(now - RENEWAL_MEMORY);
      await expireRetiredKeys.run(acceptedBefore);
    },

    /** Deletes a small batch of the oldest envelopes. @returns true if there may be more */
    async expireMail(acceptedBefore: number): Promise<boolean> {
      const batch = (await oldest.all()).filter((envelope) => envelope.accepted_at < acceptedBefore);
      const waiting = batch.flatMap((row) => (isWaiting(row) ? row : []));
      const accounts = [...new Set(waiting.map((row) => row.account_id))];
      const devices = Map.groupBy(await devicesOf(accounts.map((id) => [id])), (row) => row.account_id);
      const pairs = waiting.flatMap(({ id, account_id }) =>
        (devices.get(account_id) ?? []).map((device) => [device.id, id] as const),
      );
      await rows.removeCopies(pairs, new Map(waiting.map((row) => [row.id, row])));
      await deleteBodies(waiting.map(({ id, bucket }) => [id, bucket]));
      await deleteEnvelopes(batch.map(({ id, bucket }) => [id, bucket]));
      return batch.length === EXPIRY_BATCH;
    },

    /** Deletes a small batch of the beginning of the audit log. @returns true if there may be more */
    expireAudit,
  };
}

function isWaiting(row: ExpiringRow): row is ExpiringRow & { account_id: number } & Origin {
  return row.account_id !== null;
}

/** The reason why a copy has no queue. */
function refusal({ recipientDeviceKey }: EnvelopeToAccept, isDeleted: boolean): AcceptOutcome {
  if (isDeleted) return { status: 'account_deleted' };
  return { status: recipientDeviceKey === null ? 'no_devices' : 'unknown_device' };
}
