/** Searches that each engine implements itself: for a text inside names, and names in order. */
import type { Awaitable } from './database.ts';
import type { GroupRow } from './rows.ts';

/** Rows above `from` up to `to`, in order, at most `most` of them. */
export interface Range {
  from: number;
  to: number;
  most: number;
}

export interface Searches {
  /**
   * Accounts, not suspended, whose public handle contains a text, but not at its beginning.
   * @param verified null for both
   */
  handlesInside(text: string, verified: boolean | null, range: Range): Awaitable<number[]>;
  /** Listed groups whose name contains a text. Both have the form of `toGroupSearch`, here and below. */
  groupsInside(text: string, range: Range): Awaitable<number[]>;
  /**
   * Listed groups whose name begins with a text, after one with this name and key, in the order of names, then
   * keys.
   */
  groupsByName(
    text: string,
    after: { name: string; key: number } | null,
    most: number,
  ): Awaitable<GroupRow[]>;
}
