import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterMessage,
  afterQueueRead,
  arrivedUpTo,
  type DeviceGaps,
  MAX_MISSING,
  MAX_REQUESTED,
} from '../../../../src/messaging/gaps/device-gaps.ts';

const MINUTE = 60_000;

test('after all messages in any order nothing is missing, and no received one is requested', () => {
  const numbers = fc.integer({ min: 1, max: 150 }).chain((count) =>
    fc.shuffledSubarray(
      Array.from({ length: count }, (_, index) => index + 1),
      { minLength: count, maxLength: count },
    ),
  );
  fc.assert(
    fc.property(numbers, fc.array(fc.nat(20 * MINUTE)), (seqs, pauses) => {
      let gaps: DeviceGaps | null = null;
      let now = 0;
      const came = new Set<number>();
      for (const [index, seq] of seqs.entries()) {
        gaps = afterMessage(gaps, seq);
        came.add(seq);
        now += pauses[index] ?? 0;
        if (!gaps) throw new Error('a number begins the state');
        const { gaps: settled, toRequest } = afterQueueRead(gaps, now);
        gaps = settled;
        expect(toRequest.filter((seq) => came.has(seq))).toEqual([]);
        expect(toRequest.length).toBeLessThanOrEqual(MAX_REQUESTED);
        const { base, high, missing } = gaps;
        expect(missing.map((number) => number.seq)).toEqual(
          Array.from({ length: high - base }, (_, offset) => base + offset).filter(
            (number) => !came.has(number),
          ),
        );
        const { from, upTo, missing: reported } = arrivedUpTo(gaps);
        expect(from).toBe(base);
        for (let number = base; number <= (upTo ?? 0); number++)
          expect(came.has(number)).toBe(!reported.includes(number));
      }
      expect(gaps?.missing).toEqual([]);
    }),
  );
});

test('bounds the state for any numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), { maxLength: 60 }), (seqs) => {
      let gaps: DeviceGaps | null = null;
      const came = new Set(seqs);
      for (const seq of seqs) gaps = afterMessage(gaps, seq);
      expect(gaps?.missing.length ?? 0).toBeLessThanOrEqual(MAX_MISSING);
      if (!gaps) return;
      // A statement covers no number that was forgotten.
      const { base, high } = gaps;
      const missing = gaps.missing.map((number) => number.seq);
      for (const seq of [base, base + 1, high - 1, high])
        if (seq >= base && seq <= high) expect(came.has(seq)).toBe(!missing.includes(seq));
    }),
  );
});
