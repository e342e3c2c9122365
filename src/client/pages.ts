/**
 * Reading a list of the relay page by page, to its end or to a bound.
 */

import { LIST_PAGE } from '../protocol/limits.ts';

/** A page of a list, whatever is in it. */
export interface Page<Entry> {
  entries: Entry[];
  nextCursor: string | null;
}

/** An honest relay fills each page but the last. So many more are asked for, in case it has reasons not to. */
const FEW_PAGES = 10;

/**
 * The entries of all pages, in order, `most` of them at most. A relay that always names another page, or sends empty
 * ones, is left.
 * @param ask for the page at a cursor; the first without one
 */
export async function readPages<Entry>(
  ask: (cursor: { cursor?: string }) => Promise<Page<Entry>>,
  most: number,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  const isShort = (pages: number) => pages - entries.length / LIST_PAGE.most >= FEW_PAGES;
  for (let pages = 0; !isShort(pages) && entries.length < most; pages++) {
    const page: Page<Entry> = await ask(cursor === null ? {} : { cursor });
    entries.push(...page.entries);
    if (page.nextCursor === null || page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  return entries.slice(0, most);
}
