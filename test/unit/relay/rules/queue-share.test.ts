import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Holder,
  hasPlace,
  hasPlaceForAny,
  type Waiting,
} from '../../../../src/relay/rules/queue-share.ts';

const LIMITS = { queueEnvelopes: 1_000, queueBytes: 1_000_000 };
const SHARE = 1 / 4;

/** Fills a queue: each holder in turn adds as much as allowed. */
function fill(holders: number, size: number, queue: Waiting = { envelopes: 0, bytes: 0 }): Waiting[] {
  return Array.from({ length: holders }, () => {
    const waiting = { envelopes: 0, bytes: 0 };
    const holder: Holder = { waiting, share: SHARE };
    while (hasPlace(queue, [holder], size, LIMITS)) {
      for (const count of [queue, waiting]) {
        count.envelopes++;
        count.bytes += size;
      }
    }
    return waiting;
  });
}

test('one holder has its share of an empty queue, by envelopes and by bytes', () => {
  expect(fill(1, 1)[0]?.envelopes).toBe(250);
  expect(fill(1, 10_000)[0]?.bytes).toBe(250_000);
});

test('the next holder has a place, for any number that fills a queue', () => {
  for (const size of [1, 100, 1_000]) {
    const queue = { envelopes: 0, bytes: 0 };
    const counts = fill(100, size, queue).map(({ envelopes }) => envelopes);
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(fill(1, size, queue)[0]?.envelopes).toBeGreaterThan(0);
  }
});

test('a holder with nothing in a queue may add one larger than its share', () => {
  const nothing = { waiting: { envelopes: 0, bytes: 0 }, share: SHARE };
  expect(hasPlace({ envelopes: 0, bytes: 0 }, [nothing], 1_000_000, LIMITS)).toBe(true);
  expect(hasPlace({ envelopes: 0, bytes: 0 }, [nothing], 1_000_001, LIMITS)).toBe(false);
  expect(hasPlace({ envelopes: 1_000, bytes: 0 }, [nothing], 1, LIMITS)).toBe(false);
});

test('every holder of an envelope must have room', () => {
  const queue = { envelopes: 500, bytes: 500 };
  const full = { waiting: { envelopes: 400, bytes: 400 }, share: SHARE };
  const free = { waiting: { envelopes: 1, bytes: 1 }, share: SHARE };
  expect(hasPlace(queue, [free, free], 1, LIMITS)).toBe(true);
  expect(hasPlace(queue, [free, full], 1, LIMITS)).toBe(false);
  expect(hasPlace(queue, [], 1, LIMITS)).toBe(true);
});

test('envelopes with a place regardless of their holders are accepted one by one, with any use by a holder', () => {
  const size = fc.integer({ min: 0, max: 100_000 });
  const fraction = fc.double({ min: 0, max: 1, noNaN: true });
  const counts = { accepted: 0, undecided: 0 };
  fc.assert(
    fc.property(
      fc.array(size, { maxLength: 400 }),
      fc.array(size, { minLength: 1, maxLength: 50 }),
      fraction,
      fc.constantFrom(1, SHARE, SHARE / 2),
      (stored, added, part, share) => {
        const total = (sizes: readonly number[]): Waiting => ({
          envelopes: sizes.length,
          bytes: sizes.reduce((sum, each) => sum + each, 0),
        });
        const queue = total(stored);
        if (!hasPlaceForAny(queue, total(added), share, LIMITS)) {
          counts.undecided++;
          return;
        }
        counts.accepted++;
        const waiting = total(stored.slice(0, Math.round(stored.length * part)));
        const unread = { envelopes: 0, bytes: 0 };
        for (const each of added) {
          for (const known of [waiting, unread]) {
            expect(hasPlace(queue, [{ waiting: known, share }], each, LIMITS)).toBe(true);
          }
          for (const count of [queue, waiting, unread]) {
            count.envelopes++;
            count.bytes += each;
          }
        }
      },
    ),
  );
  expect(Math.min(counts.accepted, counts.undecided)).toBeGreaterThan(0);
});

test('a queue that is full with these envelopes has no place regardless of their holders', () => {
  const more = { envelopes: 3, bytes: 3 };
  expect(hasPlaceForAny({ envelopes: 0, bytes: 0 }, more, 1, LIMITS)).toBe(true);
  expect(hasPlaceForAny({ envelopes: 998, bytes: 0 }, more, 1, LIMITS)).toBe(false);
  expect(hasPlaceForAny({ envelopes: 5_000, bytes: 0 }, more, 1, LIMITS)).toBe(false);
  expect(hasPlaceForAny({ envelopes: 0, bytes: 999_998 }, more, 1, LIMITS)).toBe(false);
});
