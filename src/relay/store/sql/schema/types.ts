/**
 * What engines call the same columns and tables.
 */
export interface ColumnTypes {
  /** Of 64 bits: times in milliseconds, counts, keys of other tables, and 0 or 1. */
  integer: string;
  bytes: string;
  /** Compared by its bytes. */
  text: string;
  /** A primary key that the database gives, rising and never again. */
  key: string;
  /** After a table whose rows lie in the order in which they came. */
  inOrder: string;
  /** After a table whose rows lie in the order of their primary key, where an engine can do that. */
  byKey: string;
  /** 32 zero bytes. */
  zeros: string;
}
