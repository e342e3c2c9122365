import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceiptContent } from '../../../../src/messaging/contents/kinds/receipt.ts';
import {
  coverage,
  covers,
  deviceReceiptIn,
  joined,
  MAX_SPANS,
  NOTHING_COVERED,
} from '../../../../src/messaging/receipts/coverage.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { DEVICE, MOST, numbers, seq } from './coverage.ts';

const anyCoverage = fc
  .tuple(seq, fc.integer({ min: 0, max: MOST }), fc.array(seq, { maxLength: 20 }))
  .map(([from, upTo, without]) => coverage(from, upTo, without));

test('a union covers exactly what either set covers', () => {
  fc.assert(
    fc.property(anyCoverage, anyCoverage, (a, b) => {
      const both = joined(a, b);
      for (const n of numbers) expect(covers(both, n)).toBe(covers(a, n) || covers(b, n));
    }),
    { numRuns: 2_000 },
  );
});

test('joining is commutative and idempotent', () => {
  fc.assert(
    fc.property(anyCoverage, anyCoverage, anyCoverage, (a, b, c) => {
      expect(joined(a, b)).toEqual(joined(b, a));
      expect(joined(joined(a, b), c)).toEqual(joined(a, joined(b, c)));
      expect(joined(a, a)).toEqual(a);
      expect(joined(a, NOTHING_COVERED)).toEqual(a);
    }),
    { numRuns: 2_000 },
  );
});

test('covers all numbers between its bounds except the named ones', () => {
  expect(coverage(3, 9, [5, 6, 8, 2, 12, 6])).toEqual([
    [3, 4],
    [7, 7],
    [9, 9],
  ]);
  expect(coverage(1, 9, [8, 9])).toEqual([[1, 7]]);
  expect(coverage(5, 4, [])).toEqual(NOTHING_COVERED);
});

test('a person who reports many gaps occupies a bounded space, and the newest numbers stay covered', () => {
  let all = NOTHING_COVERED;
  for (let seq = 1; seq <= 20_001; seq += 2) all = joined(all, coverage(seq, seq, []));
  expect(all).toHaveLength(MAX_SPANS);
  expect(covers(all, 20_001)).toBe(true);
  expect(covers(all, 20_000)).toBe(false);
});

test('a stored set in another order or with overlaps is put in order', () => {
  expect(
    joined(
      [
        [7, 9],
        [3, 2],
        [0, 4],
        [1, 8],
      ],
      NOTHING_COVERED,
    ),
  ).toEqual([[1, 9]]);
});

test('a receipt confirms nothing about unnamed devices', () => {
  const receipt = ReceiptContent.parse({ kind: 'receipt', delivered: { [DEVICE]: 3 } });
  expect(deviceReceiptIn(receipt, encodeBase64Url(new Uint8Array(16).fill(2)))).toBeNull();
  expect(deviceReceiptIn(receipt, 'constructor')).toBeNull();
});
