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
  /** The key of a row of mail, which the database gives, rising and never again; {@link keyedInBucket} ends the table. */
  mailKey: string;
  /** The same, of a row that goes with such a row. */
  keyOfMail: string;
  /** Behind the columns of a table of mail: that this column and the bucket are its primary key, where it has to be said. */
  keyedInBucket(column: string): string;
  /** After a table whose rows lie in the order in which they came. */
  inOrder: string;
  /** After a table whose rows lie in the order of their primary key, where an engine can do that. */
  byKey: string;
  /** 32 zero bytes. */
  zeros: string;
}
