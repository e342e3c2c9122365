/**
 * Keys of queues. A queue's key contains its account, so that its bucket is known without a query.
 *
 * Mail is divided into buckets by recipient. Every table of mail has the bucket as a column, and every statement on
 * them names it. A distributed database is divided by this column, and each statement runs on one of its nodes.
 */
import type { AccountKey, QueueKey } from '../records.ts';

/** The number of buckets: more than a database has nodes, so that the nodes get similar shares. A power of 2. */
export const BUCKETS = 1_024;
/** More than the number of accounts, and divisible by {@link BUCKETS}. */
const MAX_ACCOUNTS = 2 ** 32;

/** The key of the n-th queue of an account. */
export function queueKey(account: AccountKey, count: number): QueueKey {
  return count * MAX_ACCOUNTS + account;
}

/** The account of a queue. */
export function accountOf(queue: QueueKey): AccountKey {
  return queue % MAX_ACCOUNTS;
}

/** The bucket of an account's mail. */
export function bucketOf(account: AccountKey): number {
  return account % BUCKETS;
}

/** The bucket of the mail in a queue. */
export function bucketOfQueue(queue: QueueKey): number {
  return queue % BUCKETS;
}

/** The account of the queue in a column, as SQL. */
export function accountInSql(column: string): string {
  return `${column} % ${MAX_ACCOUNTS}`;
}

/** The bucket of the account in a column, as SQL. */
export function bucketInSql(column: string): string {
  return `${column} % ${BUCKETS}`;
}
