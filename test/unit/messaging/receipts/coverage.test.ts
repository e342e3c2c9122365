import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceiptContent } from '../../../../src/messaging/contents/kinds/receipt.ts';
import {
  coverage,
  covers,
  deviceReceiptIn,
  joined,
  joinedReceipts,
  NO_RECEIPT,
  NOTHING_COVERED,
} from '../../../../src/messaging/receipts/coverage.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';

const DEVICE = encodeBase64Url(new Uint8Array(16).fill(1));
const MOST = 30;
const numbers = Array.from({ length: MOST + 2 }, (_, index) => index + 1);
const seq = fc.integer({ min: 1, max: MOST });

const anyCoverage = fc
  .tuple(fc.integer({ min: 0, max: MOST }), fc.array(seq, { maxLength: 20 }))
  .map(([upTo, without]) => coverage(upTo, without));

const anyReceipt = fc
  .record(
    { delivered: seq, read: seq, missing: fc.array(seq, { minLength: 1, maxLength: 20 }) },
    { requiredKeys: [] },
  )
  .map(({ delivered, read, missing }) =>
    ReceiptContent.parse({
      kind: 'receipt',
      ...(delivered !== undefined && { delivered: { [DEVICE]: delivered } }),
      ...(read !== undefined && { read: { [DEVICE]: read } }),
      ...(missing && { missing: { [DEVICE]: missing } }),
    }),
  );

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

/** The statement of one receipt about one message, by its definition. */
function receiptFor(
  { delivered, read, missing }: ReceiptContent,
  deviceId: string,
  seq: number,
): 'read' | 'delivered' | null {
  if (seq === 0 || missing?.[deviceId]?.includes(seq)) return null;
  if (seq <= (read?.[deviceId] ?? 0)) return 'read';
  return seq <= (delivered?.[deviceId] ?? 0) ? 'delivered' : null;
}

test('receipts in any order and number are equal to their union', () => {
  fc.assert(
    fc.property(
      fc
        .array(anyReceipt, { maxLength: 8 })
        .chain((receipts) =>
          fc.tuple(
            fc.constant(receipts),
            fc.shuffledSubarray([...receipts, ...receipts], { minLength: receipts.length * 2 }),
          ),
        ),
      ([receipts, arrived]) => {
        const said = arrived.reduce(
          (before, receipt) => joinedReceipts(before, deviceReceiptIn(receipt, DEVICE) ?? NO_RECEIPT),
          NO_RECEIPT,
        );
        for (const n of numbers) {
          const one = receipts.map((receipt) => receiptFor(receipt, DEVICE, n));
          expect(covers(said.read, n)).toBe(one.includes('read'));
          expect(covers(said.delivered, n)).toBe(one.some((each) => each !== null));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a receipt confirms nothing about unnamed devices', () => {
  const receipt = ReceiptContent.parse({ kind: 'receipt', delivered: { [DEVICE]: 3 } });
  expect(deviceReceiptIn(receipt, encodeBase64Url(new Uint8Array(16).fill(2)))).toBeNull();
  expect(deviceReceiptIn(receipt, 'constructor')).toBeNull();
});
