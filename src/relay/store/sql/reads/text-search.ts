/**
 * Searches for a text inside names, by a trigram index, in steps that each check a limited number of rows.
 *
 * The index normally reads only as far as a page needs. But if all the trigrams of a text are in every name, and
 * the text itself in none, it reads all names.
 */

import type { Awaitable } from '../database.ts';
import type { Range } from '../searches.ts';

/** The trigram index finds texts of three characters or more. A shorter text is searched only at the beginning. */
const TRIGRAM = 3;
/** The number of rows that never makes a search long. */
export const FEW_ROWS = 1_000;
/** Rows in one step of a search, and steps in one call. At worst each row costs some microseconds. */
const STEP_ROWS = 5_000;
const MAX_STEPS = 4;

/** True if the trigram index finds a text. */
export function isInside(text: string | null): text is string {
  return text !== null && [...text].length >= TRIGRAM;
}

/**
 * One page of a search.
 * @param range the row before its beginning, and the last existing row
 * @returns the found rows, and the row before the next page: null after the last
 */
export async function searchInside(
  range: { after: number; last: number },
  limit: number,
  find: (range: Range) => Awaitable<number[]>,
): Promise<{ found: number[]; next: string | null }> {
  const found: number[] = [];
  let from = range.after;
  for (let step = 0; step < MAX_STEPS && from < range.last && found.length <= limit; step++) {
    const to = from + STEP_ROWS;
    found.push(...(await find({ from, to, most: limit + 1 - found.length })));
    from = to;
  }
  const page = found.slice(0, limit);
  if (found.length > limit) return { found: page, next: String(page.at(-1) ?? range.after) };
  return { found: page, next: from < range.last ? String(from) : null };
}
