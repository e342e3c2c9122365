/**
 * What receipts say of the numbers of one device: a set that only grows, so that neither their order nor repeats matter.
 */
import type { ReceiptContent } from '../contents/kinds/receipt.ts';

/** All numbers from 1 up to one, without some. */
export interface Coverage {
  /** The highest; 0 if there is none. */
  readonly upTo: number;
  /** Those below it that are not covered, ascending. */
  readonly without: readonly number[];
}

export const NOTHING_COVERED: Coverage = { upTo: 0, without: [] };

/** All up to a number, without some. The same set has one form. */
export function coverage(upTo: number, without: readonly number[]): Coverage {
  const left = [...new Set(without)].filter((seq) => seq >= 1 && seq <= upTo).sort((a, b) => a - b);
  let highest = upTo;
  for (; left.at(-1) === highest && highest > 0; highest--) left.pop();
  return { upTo: highest, without: left };
}

/** What either of them covers. */
export function joined(a: Coverage, b: Coverage): Coverage {
  const [low, high] = a.upTo <= b.upTo ? [a, b] : [b, a];
  return coverage(
    high.upTo,
    high.without.filter((seq) => seq > low.upTo || low.without.includes(seq)),
  );
}

export function covers({ upTo, without }: Coverage, seq: number): boolean {
  return seq >= 1 && seq <= upTo && !without.includes(seq);
}

/** Whether both cover the same. */
export function isSame(a: Coverage, b: Coverage): boolean {
  return a.upTo === b.upTo && a.without.join() === b.without.join();
}

/** What was said of the numbers of one device. What was read counts as delivered, too. */
export interface SaidOfDevice {
  readonly delivered: Coverage;
  readonly read: Coverage;
}

export const NOTHING_SAID: SaidOfDevice = { delivered: NOTHING_COVERED, read: NOTHING_COVERED };

/** What a receipt says of a device; null if it says nothing of it. */
export function saidIn({ delivered, read, missing }: ReceiptContent, deviceId: string): SaidOfDevice | null {
  const of = (numbers: Readonly<Record<string, number>> | undefined) =>
    (numbers && Object.hasOwn(numbers, deviceId) ? numbers[deviceId] : undefined) ?? 0;
  const without = missing && Object.hasOwn(missing, deviceId) ? (missing[deviceId] ?? []) : [];
  const isRead = coverage(of(read), without);
  const said = { delivered: joined(coverage(of(delivered), without), isRead), read: isRead };
  return said.delivered.upTo === 0 ? null : said;
}

export function bothSaid(a: SaidOfDevice, b: SaidOfDevice): SaidOfDevice {
  return { delivered: joined(a.delivered, b.delivered), read: joined(a.read, b.read) };
}
