/** One kind of lines in a journal, with the state in memory that they make. */
import type { z } from 'zod';

export interface Table<Entry extends object = object> {
  /** Matches the lines of this table, and no others. */
  readonly schema: z.ZodType<Entry>;
  /** Changes the state as a line describes. The line is durable. */
  apply(entry: Entry): void;
  /** Entries that recreate the same state. */
  entries(): Entry[];
}
