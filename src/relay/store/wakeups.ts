/**
 * What relays that share a database tell each other, so that calls which another one holds end at once. These are hints:
 * the database is the truth, and who holds a call looks into it now and then in any case.
 */
import type { QueueKey } from './records.ts';

export interface Hint {
  /** Queues into which something came, or which are gone. */
  queues: readonly QueueKey[];
  /** Ids of credentials that are valid no longer. */
  credentials: readonly string[];
}

export interface Wakeups {
  /** Tells the others. What cannot be told is lost. */
  tell(hint: Hint): void;
  /** Has what the others tell be heard. */
  listen(hear: (hint: Hint) => void): void;
  close(): Promise<void>;
}
