/**
 * Searching for a text inside names, by a trigram index, in steps of which each looks at so many rows and no more.
 *
 * The index reads only as far as a page takes; but a text whose every three letters are in every name, while it is in
 * none, makes it read all of them.
 */

import type { Awaitable } from '../database.ts';
import type { Range } from '../searches.ts';

/** Text of three characters or more is found by the trigram index, shorter text only at the beginning. */
const TRIGRAM = 3;
/** Rows of which a search is always short. */
export const FEW_ROWS = 1_000;
/** Rows in one step of a search, and steps in one call. Some microseconds for each row at worst. */
const STEP_ROWS = 5_000;
const MOST_STEPS = 4;

/** Whether the trigram index finds a text. */
export function isInside(text: string | null): text is string {
  return text !== null && [...text].length >= TRIGRAM;
}

/**
 * One page of a search.
 * @param range the row after which it begins, and the last row that there is
 * @returns the rows that were found, and after which the next page begins: null after the last
 */
export async function searchInside(
  range: { after: number; last: number },
  limit: number,
  find: (range: Range) => Awaitable<number[]>,
): Promise<{ found: number[]; next: string | null }> {
  const found: number[] = [];
  let from = range.after;
  for (let step = 0; step < MOST_STEPS && from < range.last && found.length <= limit; step++) {
    const to = from + STEP_ROWS;
    found.push(...(await find({ from, to, most: limit + 1 - found.length })));
    from = to;
  }
  const page = found.slice(0, limit);
  if (found.length > limit) return { found: page, next: String(page.at(-1) ?? range.after) };
  return { found: page, next: from < range.last ? String(from) : null };
}
