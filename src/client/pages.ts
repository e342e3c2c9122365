/** Reads a list of the relay page by page, to its end or a limit. */

import { LIST_PAGE } from '../protocol/limits.ts';

/** A page of any list. */
export interface Page<Entry> {
  entries: Entry[];
  nextCursor: string | null;
}

/** The number of additional pages for a relay that does not fill each page. */
const FEW_PAGES = 10;

/**
 * The entries of all pages, in order, at most `most`. Stops for a relay that names more pages without end, or sends
 * empty ones.
 * @param fetchPage fetches the page at a cursor; the first without one
 */
export async function readPages<Entry>(
  fetchPage: (cursor: { cursor?: string }) => Promise<Page<Entry>>,
  most: number,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  const isShort = (pages: number) => pages - entries.length / LIST_PAGE.most >= FEW_PAGES;
  for (let pages = 0; !isShort(pages) && entries.length < most; pages++) {
    const page: Page<Entry> = await fetchPage(cursor === null ? {} : { cursor });
    entries.push(...page.entries);
    if (page.nextCursor === null || page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  return entries.slice(0, most);
}
