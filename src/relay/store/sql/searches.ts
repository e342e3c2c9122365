/**
 * What an engine has of its own: looking for a text inside names, and names in their order without regard to case.
 */
import type { Awaitable, Database } from './database.ts';
import type { GroupRow } from './rows.ts';

/** Rows above `from` up to `to`, in order, `most` of them. */
export interface Range {
  from: number;
  to: number;
  most: number;
}

export interface Searches {
  /**
   * Accounts, not suspended, whose public handle has a text inside and not at its beginning.
   * @param verified null: whichever
   */
  handlesInside(text: string, verified: boolean | null, range: Range): Awaitable<number[]>;
  /** Listed groups whose name has a text inside, whether it is written with capitals or not. */
  groupsInside(text: string, range: Range): Awaitable<number[]>;
  /** Listed groups whose name begins with a text, after one with this name and key, in the order of names, then keys. */
  groupsByName(
    text: string,
    after: { name: string; key: number } | null,
    most: number,
  ): Awaitable<GroupRow[]>;
}

/** Prepares the searches on a connection. */
export type PrepareSearches = (database: Database) => Searches;
