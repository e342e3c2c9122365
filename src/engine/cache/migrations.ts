/** The changes of the cache's schema, in order. `user_version` counts those that were applied or begun. */

import { schema } from './schema.ts';

/** Steps that are committed one after the other, so that a killed migration continues at its last step. */
export type Migration = readonly Step[];

/** SQL for one transaction, or a change for all rows of a table. */
export type Step = string | RowStep;

/** A change for all rows of a table, which may be large. */
export interface RowStep {
  /** Its primary key is `id INTEGER PRIMARY KEY`. */
  table: string;
  /** In slices: a statement for the rows with `:after < id AND id <= :last`. Otherwise any SQL, such as a new index. */
  sql: string;
  inSlices: boolean;
  /** Bytes that a row needs in addition, at most: in the table, and in its indexes. */
  bytesPerRow: number;
}

/** Never edit one that was released. */
export const migrations: readonly Migration[] = [[schema]];
