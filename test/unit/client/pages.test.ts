import { expect, test } from 'vitest';
import { readPages } from '../../../src/client/pages.ts';

test('reads all pages in order, up to the wanted number of entries', async () => {
  const pages = [[1, 2], [3], [], [4, 5]];
  const cursors: (string | undefined)[] = [];
  const ask = async ({ cursor }: { cursor?: string }) => {
    cursors.push(cursor);
    const index = Number(cursor ?? 0);
    return { entries: pages[index] ?? [], nextCursor: index + 1 < pages.length ? `${index + 1}` : null };
  };
  expect(await readPages(ask, 100)).toEqual([1, 2, 3, 4, 5]);
  expect(cursors).toEqual([undefined, '1', '2', '3']);
  expect(await readPages(ask, 2)).toEqual([1, 2]);
  expect(await readPages(ask, 3)).toEqual([1, 2, 3]);
});

test('stops at a relay that always names another page, or the same one', async () => {
  let calls = 0;
  await readPages(async () => ({ entries: [], nextCursor: `${calls++}` }), 500);
  expect(calls).toBe(10);
  calls = 0;
  const same = async () => {
    calls++;
    return { entries: ['x'], nextCursor: 'same' };
  };
  expect(await readPages(same, 500)).toEqual(['x', 'x']);
  expect(calls).toBe(2);
});
