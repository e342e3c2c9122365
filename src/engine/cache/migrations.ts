/** The changes of the cache's schema, in order. `user_version` counts those that were applied or begun. */

import { schema } from './schema.ts';

/** Steps that are committed one after the other, so that a killed migration continues at its last step. */
export type Migration = readonly Step[];

/** SQL for one transaction, or a change of all rows of a table. */
export type Step = string | RowStep;

/**
 * A change of all rows of a table, which may be large. Also a new index, or the removal of a table: the whole change is in the
 * write-ahead log then.
 */
export interface RowStep {
  /** It exists before the migration. Its primary key is `id INTEGER PRIMARY KEY`, with positive numbers. */
  table: string;
  /** In slices: a statement for the rows with `:after < id AND id <= :last`. Otherwise any SQL, in one transaction. */
  sql: string;
  inSlices: boolean;
  /** Bytes that the change writes for a row at most, in the table and in its indexes. */
  bytesPerRow: number;
}

/** Never edit one that was released. */
export const migrations: readonly Migration[] = [[schema]];
