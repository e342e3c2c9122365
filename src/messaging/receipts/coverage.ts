/** Numbers of one device covered by receipts. The set only grows, so neither order nor duplicates matter. */
import type { ReceiptContent } from '../contents/kinds/receipt.ts';

/** All numbers from 1 up to one, with exceptions. */
export interface Coverage {
  /** The highest number; 0 for none. */
  readonly upTo: number;
  /** The exceptions below it, ascending. */
  readonly without: readonly number[];
}

export const NOTHING_COVERED: Coverage = { upTo: 0, without: [] };

/** All up to a number, with exceptions. Equal sets have equal forms. */
export function coverage(upTo: number, without: readonly number[]): Coverage {
  const left = [...new Set(without)].filter((seq) => seq >= 1 && seq <= upTo).sort((a, b) => a - b);
  let highest = upTo;
  for (; left.at(-1) === highest && highest > 0; highest--) left.pop();
  return { upTo: highest, without: left };
}

/** Union of both. */
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

/** Reports whether both are equal. */
export function isSame(a: Coverage, b: Coverage): boolean {
  return a.upTo === b.upTo && a.without.join() === b.without.join();
}

/** Received statements about the numbers of one device. Read messages count as delivered, too. */
export interface DeviceReceipt {
  readonly delivered: Coverage;
  readonly read: Coverage;
}

export const NO_RECEIPT: DeviceReceipt = { delivered: NOTHING_COVERED, read: NOTHING_COVERED };

/** A receipt's statement about a device; null for none. */
export function deviceReceiptIn(
  { delivered, read, missing }: ReceiptContent,
  deviceId: string,
): DeviceReceipt | null {
  const of = (numbers: Readonly<Record<string, number>> | undefined) =>
    (numbers && Object.hasOwn(numbers, deviceId) ? numbers[deviceId] : undefined) ?? 0;
  const without = missing && Object.hasOwn(missing, deviceId) ? (missing[deviceId] ?? []) : [];
  const isRead = coverage(of(read), without);
  const said = { delivered: joined(coverage(of(delivered), without), isRead), read: isRead };
  return said.delivered.upTo === 0 ? null : said;
}

export function joinedReceipts(a: DeviceReceipt, b: DeviceReceipt): DeviceReceipt {
  return { delivered: joined(a.delivered, b.delivered), read: joined(a.read, b.read) };
}
