import { expect, test } from 'vitest';
import { searchInside } from '../../../../src/relay/store/sql/reads/text-search.ts';
import type { Range } from '../../../../src/relay/store/sql/searches.ts';

/**
 * Reads all pages of a search over these rows. Counts calls; the limit is the number of rows that one call
 * may visit.
 */
async function readAll(rows: number[], last: number, limit: number) {
  const found: number[] = [];
  let after = 0;
  let calls = 0;
  let most = 0;
  for (let next: string | null = '0'; next !== null; after = Number(next)) {
    let looked = 0;
    const page = await searchInside({ after, last }, limit, ({ from, to, most: wanted }) => {
      looked += to - from;
      return rows.filter((row) => row > from && row <= to).slice(0, wanted);
    });
    expect(page.found.length).toBeLessThanOrEqual(limit);
    found.push(...page.found);
    most = Math.max(most, looked);
    calls++;
    next = page.next;
    if (next === null) break;
    expect(Number(next)).toBeGreaterThan(after);
  }
  return { found, calls, most };
}

test('finds every row once, in order, for any pages', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => (index + 1) * 977);
  for (const limit of [1, 7, 20, 50]) expect((await readAll(rows, 300_000, limit)).found).toEqual(rows);
});

test('reads a bounded part of the rows in each call for a missing text', async () => {
  const small = await readAll([], 1_000_000, 20);
  const large = await readAll([], 8_000_000, 20);
  expect(large.most).toBe(small.most);
  expect(large.calls).toBe(8 * small.calls);
  expect(await readAll([], 0, 20)).toMatchObject({ found: [], calls: 1 });
});

test('a page without room returns the next position and no rows', async () => {
  const find = ({ from, to }: Range) => [5, 6].filter((row) => row > from && row <= to);
  expect(await searchInside({ after: 3, last: 10 }, 0, find)).toEqual({ found: [], next: '3' });
  expect(await searchInside({ after: 6, last: 10 }, 0, find)).toEqual({ found: [], next: null });
});
