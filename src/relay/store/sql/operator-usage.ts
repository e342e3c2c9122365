/**
 * What accounts take up, for the operator: those that take up most of one thing.
 */
import type { AccountUsage, UsageMeasure } from '../operator-records.ts';
import type { Database } from './database.ts';
import { blobToAddress } from './values.ts';

/** The accounts with most of one thing, by key. */
const MOST: Readonly<Record<UsageMeasure, string>> = {
  envelopes: `SELECT account_id AS id, sum(queued) AS used FROM device WHERE queued > 0 GROUP BY account_id`,
  bytes: `SELECT account_id AS id, sum(queued_bytes) AS used FROM device WHERE queued > 0 GROUP BY account_id`,
  blobs: `SELECT account_id AS id, bytes AS used FROM blob_usage WHERE account_id > 0 AND bytes > 0`,
  devices: `SELECT account_id AS id, count(*) AS used FROM device GROUP BY account_id`,
  groups: `SELECT account_id AS id, count(*) AS used FROM member GROUP BY account_id`,
};

interface UsageRow {
  address: Buffer;
  handle: string | null;
  suspended_at: number | null;
  created_at: number;
  devices: number;
  envelopes: number;
  bytes: number;
  blobs: number;
  groups: number;
}

/** @param limit accounts at most */
export async function listUsage(
  database: Database,
  by: UsageMeasure,
  limit: number,
): Promise<AccountUsage[]> {
  const most = database.prepare<[number], { id: number }>(
    `SELECT id, used FROM (${MOST[by]}) AS usage ORDER BY used DESC, id LIMIT ?`,
  );
  const usageOf = database.prepare<[number], UsageRow>(
    `SELECT address, handle, suspended_at, account.created_at,
            (SELECT count(*) FROM device WHERE account_id = account.id) AS devices,
            (SELECT coalesce(sum(queued), 0) FROM device WHERE account_id = account.id) AS envelopes,
            (SELECT coalesce(sum(queued_bytes), 0) FROM device WHERE account_id = account.id) AS bytes,
            coalesce((SELECT bytes FROM blob_usage WHERE account_id = account.id), 0) AS blobs,
            (SELECT count(*) FROM member WHERE account_id = account.id) AS groups
       FROM account LEFT JOIN handle ON handle.account_id = account.id WHERE account.id = ?`,
  );
  const found: AccountUsage[] = [];
  for (const { id } of await most.all(limit)) {
    const row = await usageOf.get(id);
    if (!row) continue;
    const { address, suspended_at, created_at, ...rest } = row;
    found.push({
      ...rest,
      address: blobToAddress(address),
      suspended: suspended_at !== null,
      createdAt: created_at,
    });
  }
  return found;
}
