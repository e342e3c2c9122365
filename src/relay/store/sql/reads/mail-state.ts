/**
 * The state that decides about copies: which of them were accepted before, and how much of the queues their holders use. One round
 * trip where the engine accepts arrays.
 */
import type { Database, RowArrays } from '../database.ts';
import { finder, lookUp, type Row } from '../rows-at-once.ts';

interface AcceptedRow {
  hash: Buffer;
  accepted_at: number;
}

interface ShareRow {
  device: number;
  holder: Buffer;
  envelopes: number;
  bytes: number;
}

/**
 * A function that reads both.
 * @param envelopes `[hash, bucket]` @param shares `[queue, holder, bucket]`
 */
type ReadState = (
  envelopes: readonly Row[],
  shares: readonly Row[],
) => Promise<{ accepted: AcceptedRow[]; shares: ShareRow[] }>;

const ENVELOPE_KEY = { hash: 'bytes', bucket: 'integer' } as const;
const SHARE_KEY = { device: 'integer', holder: 'bytes', bucket: 'integer' } as const;

export function mailState(database: Database): ReadState {
  return database.arrays ? atOnce(database, database.arrays) : oneByOne(database);
}

function oneByOne(database: Database): ReadState {
  const findAccepted = finder<AcceptedRow>(
    database,
    ENVELOPE_KEY,
    (matches) => `SELECT hash, accepted_at FROM ${database.envelopesByHash ?? 'envelope'} WHERE ${matches}`,
  );
  const findShares = finder<ShareRow>(
    database,
    SHARE_KEY,
    (matches) => `SELECT device, holder, envelopes, bytes FROM queue_share WHERE ${matches}`,
  );
  return async (envelopes, shares) => ({
    accepted: await findAccepted(envelopes),
    shares: await findShares(shares),
  });
}

function atOnce(database: Database, arrays: RowArrays): ReadState {
  type Either = (AcceptedRow & { device: null }) | (ShareRow & { accepted_at: null });
  const ofEnvelopes = lookUp(
    arrays,
    ENVELOPE_KEY,
    (matches) =>
      `SELECT hash, accepted_at, NULL::bigint AS device, NULL::bytea AS holder, NULL::bigint AS envelopes, NULL::bigint AS bytes
         FROM envelope WHERE ${matches}`,
  );
  const ofShares = lookUp(
    arrays,
    SHARE_KEY,
    (matches) =>
      `SELECT NULL::bytea, NULL::bigint, device, holder, envelopes, bytes FROM queue_share WHERE ${matches}`,
  );
  const statement = database.prepare<never[], Either>(`${ofEnvelopes} UNION ALL ${ofShares}`);
  return async (envelopes, shares) => {
    if (envelopes.length + shares.length === 0) return { accepted: [], shares: [] };
    const rows = await statement.all(
      ...(arrays.parameters(Object.values(ENVELOPE_KEY), envelopes) as never[]),
      ...(arrays.parameters(Object.values(SHARE_KEY), shares) as never[]),
    );
    return {
      accepted: rows.filter((row) => row.device === null),
      shares: rows.filter((row) => row.device !== null),
    };
  };
}
