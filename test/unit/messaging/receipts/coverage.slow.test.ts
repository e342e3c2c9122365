import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceiptContent } from '../../../../src/messaging/contents/kinds/receipt.ts';
import {
  covers,
  deviceReceiptIn,
  joinedReceipts,
  NO_RECEIPT,
} from '../../../../src/messaging/receipts/coverage.ts';
import { DEVICE, numbers, seq } from './coverage.ts';

const anyReceipt = fc
  .record(
    { delivered: seq, read: seq, from: seq, missing: fc.array(seq, { minLength: 1, maxLength: 20 }) },
    { requiredKeys: [] },
  )
  .map(({ delivered, read, from, missing }) =>
    ReceiptContent.parse({
      kind: 'receipt',
      ...(delivered !== undefined && { delivered: { [DEVICE]: delivered } }),
      ...(read !== undefined && { read: { [DEVICE]: read } }),
      ...(from !== undefined && { from: { [DEVICE]: from } }),
      ...(missing && { missing: { [DEVICE]: missing } }),
    }),
  );

/** The statement of one receipt about one message, by its definition. */
function receiptFor(
  { delivered, read, from, missing }: ReceiptContent,
  deviceId: string,
  seq: number,
): 'read' | 'delivered' | null {
  if (seq < (from?.[deviceId] ?? 1) || missing?.[deviceId]?.includes(seq)) return null;
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
        const reported = arrived.reduce(
          (before, receipt) => joinedReceipts(before, deviceReceiptIn(receipt, DEVICE) ?? NO_RECEIPT),
          NO_RECEIPT,
        );
        for (const n of numbers) {
          const one = receipts.map((receipt) => receiptFor(receipt, DEVICE, n));
          expect(covers(reported.read, n)).toBe(one.includes('read'));
          expect(covers(reported.delivered, n)).toBe(one.some((each) => each !== null));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
