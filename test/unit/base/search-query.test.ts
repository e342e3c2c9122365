import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/base/search-query.ts';

const EMPTY = { terms: [], from: [], in: [], has: [], after: null, before: null };

test.each([
  ['lunch  Monday', { terms: ['lunch', 'monday'] }],
  ['"Lunch on" monday', { terms: ['lunch on', 'monday'] }],
  ['from:@Ann has:link x', { from: ['ann'], has: ['link'], terms: ['x'] }],
  ['FROM:"Ann Archer" in:birds', { from: ['ann archer'], in: ['birds'] }],
  ['has:photo has:files', { has: ['picture', 'file'] }],
  ['after:2026-01-31', { after: new Date(2026, 0, 31).getTime() }],
  ['before:2026-1-2 before:2026-01-03', { before: new Date(2026, 0, 2).getTime() }],
  // Unknown values are words.
  [
    'has:cats after:yesterday before:2026-02-30',
    { terms: ['has:cats', 'after:yesterday', 'before:2026-02-30'] },
  ],
  ['from: http://x', { terms: ['from:', 'http://x'] }],
  ['" " ""', {}],
  ['lunch "on mon', { terms: ['lunch', 'on mon'] }],
  ['from:"ann ar', { from: ['ann ar'] }],
  ['@ann', { terms: ['@ann'] }],
])('%s', (typed, expected) => {
  expect(parseQuery(typed)).toEqual({ ...EMPTY, ...expected });
});
