/** The engines' names for the same columns and tables. */
export interface ColumnTypes {
  /** 64 bits: times in milliseconds, counts, keys of other tables, and 0 or 1. */
  integer: string;
  bytes: string;
  /** Compared by its bytes. */
  text: string;
  /** A primary key assigned by the database, rising and never reused. */
  key: string;
  /**
   * The key of a row of mail, assigned by the database, rising and never reused; {@link keyedInBucket} ends the
   * table.
   */
  mailKey: string;
  /** The same, for a row that belongs to such a row. */
  keyOfMail: string;
  /**
   * After the columns of a table of mail: declares the primary key of this column and the bucket, where necessary.
   */
  keyedInBucket(column: string): string;
  /** After the columns of `envelope`: declares that a hash occurs once in a bucket, where the engine checks that by itself. */
  uniqueHash: string;
  /** After a table with its rows in order of insertion. */
  inOrder: string;
  /** After a table with its rows in the order of their primary key, where the engine supports that. */
  byKey: string;
  /** 32 zero bytes. */
  zeros: string;
}
