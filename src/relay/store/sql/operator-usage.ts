/** Usage of accounts, for the operator: the accounts with the highest usage of one kind. */
import type { AccountUsage, UsageMeasure } from '../operator-records.ts';
import type { QueueKey } from '../records.ts';
import type { Database } from './database.ts';
import { accountInSql, bucketOfQueue } from './queue-keys.ts';
import { finder } from './rows-at-once.ts';
import { blobToAddress } from './values.ts';

const usageOfQueues = (column: 'envelopes' | 'bytes') =>
  `SELECT ${accountInSql('device')} AS id, sum(${column}) AS used FROM queue
    WHERE envelopes > 0 GROUP BY ${accountInSql('device')}`;

/** The accounts with the highest usage of one kind, by key. */
const MOST: Readonly<Record<UsageMeasure, string>> = {
  envelopes: usageOfQueues('envelopes'),
  bytes: usageOfQueues('bytes'),
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
  blobs: number;
  groups: number;
}

/** @param limit the most accounts */
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
            coalesce((SELECT bytes FROM blob_usage WHERE account_id = account.id), 0) AS blobs,
            (SELECT count(*) FROM member WHERE account_id = account.id) AS groups
       FROM account LEFT JOIN handle ON handle.account_id = account.id WHERE account.id = ?`,
  );
  const devicesOf = database
    .prepare<[number], QueueKey>('SELECT id FROM device WHERE account_id = ?')
    .pluck();
  const waitingIn = finder<{ envelopes: number; bytes: number }>(
    database,
    { device: 'integer', bucket: 'integer' },
    (matches) => `SELECT envelopes, bytes FROM queue WHERE ${matches}`,
  );
  const found: AccountUsage[] = [];
  for (const { id } of await most.all(limit)) {
    const row = await usageOf.get(id);
    if (!row) continue;
    const queues = await waitingIn((await devicesOf.all(id)).map((queue) => [queue, bucketOfQueue(queue)]));
    const { address, suspended_at, created_at, ...rest } = row;
    found.push({
      ...rest,
      envelopes: queues.reduce((sum, queue) => sum + queue.envelopes, 0),
      bytes: queues.reduce((sum, queue) => sum + queue.bytes, 0),
      address: blobToAddress(address),
      suspended: suspended_at !== null,
      createdAt: created_at,
    });
  }
  return found;
}
