/**
 * Keys of queues. A queue's key says whose it is, so that its bucket is known without a look at any table.
 *
 * Mail lies in buckets by its recipient. Every table of mail has the bucket as a column, and every statement on them names
 * it: a database of several nodes is distributed by it, and a statement then goes to one of them.
 */
import type { AccountKey, QueueKey } from '../records.ts';

/** Buckets that there are: more than a database has nodes, so that each node gets about as many. A power of 2. */
export const BUCKETS = 1_024;
/** More than there are accounts, and divided by {@link BUCKETS}. */
const MOST_ACCOUNTS = 2 ** 32;

/** The key of an account's queue that is its so many-th. */
export function queueKey(account: AccountKey, count: number): QueueKey {
  return count * MOST_ACCOUNTS + account;
}

/** Whose a queue is. */
export function accountOf(queue: QueueKey): AccountKey {
  return queue % MOST_ACCOUNTS;
}

/** Where the mail of an account lies. */
export function bucketOf(account: AccountKey): number {
  return account % BUCKETS;
}

/** Where the mail in a queue lies. */
export function bucketOfQueue(queue: QueueKey): number {
  return queue % BUCKETS;
}

/** The account of the queue in a column, as SQL. */
export function accountInSql(column: string): string {
  return `${column} % ${MOST_ACCOUNTS}`;
}
