import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceiptContent } from '../../../../src/messaging/contents/kinds/receipt.ts';
import {
  coverage,
  covers,
  deviceReceiptIn,
  joined,
  NOTHING_COVERED,
} from '../../../../src/messaging/receipts/coverage.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { DEVICE, MOST, numbers, seq } from './coverage.ts';

const anyCoverage = fc
  .tuple(fc.integer({ min: 0, max: MOST }), fc.array(seq, { maxLength: 20 }))
  .map(([upTo, without]) => coverage(upTo, without));

test('a union covers exactly what either set covers', () => {
  fc.assert(
    fc.property(anyCoverage, anyCoverage, (a, b) => {
      const both = joined(a, b);
      for (const n of numbers) expect(covers(both, n)).toBe(covers(a, n) || covers(b, n));
      expect(both.without.length).toBeLessThanOrEqual(20);
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

test('a receipt confirms nothing about unnamed devices', () => {
  const receipt = ReceiptContent.parse({ kind: 'receipt', delivered: { [DEVICE]: 3 } });
  expect(deviceReceiptIn(receipt, encodeBase64Url(new Uint8Array(16).fill(2)))).toBeNull();
  expect(deviceReceiptIn(receipt, 'constructor')).toBeNull();
});
