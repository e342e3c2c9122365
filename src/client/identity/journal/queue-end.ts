/** The time at which the queue of an identity was last read to its end. */
import { z } from 'zod';
import type { Table } from './table.ts';

const QueueEndEntry = z.strictObject({ readToEnd: z.number() });
type QueueEndEntry = z.infer<typeof QueueEndEntry>;

export class QueueEnd implements Table<QueueEndEntry> {
  readonly schema = QueueEndEntry;
  /** Milliseconds since 1970; null if never. */
  at: number | null = null;

  apply({ readToEnd }: QueueEndEntry): void {
    this.at = readToEnd;
  }

  entries(): QueueEndEntry[] {
    return this.at === null ? [] : [{ readToEnd: this.at }];
  }
}
