/**
 * Messages between relays that share a database, so that calls held by another relay end at once. These are hints:
 * the database is the truth, and each open poll also checks it at intervals.
 */
import type { QueueKey } from './records.ts';

export interface Hint {
  /** Queues with new content, and deleted queues. */
  queues: readonly QueueKey[];
  /** Ids of revoked and expired credentials. */
  credentials: readonly string[];
}

export interface Wakeups {
  /** Sends hints to the other relays. An unsent hint is lost. */
  publish(hint: Hint): void;
  /** Subscribes to the hints of the other relays. */
  listen(onHint: (hint: Hint) => void): void;
  close(): Promise<void>;
}
