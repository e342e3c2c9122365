/** Numbers of one device covered by receipts. The set only grows, so neither order nor duplicates matter. */
import type { ReceiptContent } from '../contents/kinds/receipt.ts';

/** First and last of consecutive covered numbers. */
type Span = readonly [from: number, upTo: number];

/** Covered numbers: ascending spans with gaps between them. Equal sets have equal forms. */
export type Coverage = readonly Span[];

export const NOTHING_COVERED: Coverage = [];

/** Limit of spans. A receipt has 21 at most; beyond the limit the lowest numbers are no longer covered. */
export const MAX_SPANS = 64;

/** All numbers of a span, with exceptions. */
export function coverage(from: number, upTo: number, without: readonly number[]): Coverage {
  const spans: Span[] = [];
  let next = Math.max(from, 1);
  for (const seq of [...without].sort((a, b) => a - b)) {
    if (seq < next || seq > upTo) continue;
    if (seq > next) spans.push([next, seq - 1]);
    next = seq + 1;
  }
  return next <= upTo ? [...spans, [next, upTo]] : spans;
}

/** Union of both, which may have any order. */
export function joined(a: Coverage, b: Coverage): Coverage {
  const spans: [from: number, upTo: number][] = [];
  for (const [from, upTo] of [...a, ...b].sort(([one], [other]) => one - other)) {
    const last = spans.at(-1);
    if (from < 1 || from > upTo) continue;
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], upTo);
    else spans.push([from, upTo]);
  }
  return spans.slice(-MAX_SPANS);
}

export function covers(covered: Coverage, seq: number): boolean {
  return covered.some(([from, upTo]) => from <= seq && seq <= upTo);
}

/** The lowest number; 0 for none. */
export function lowest(covered: Coverage): number {
  return covered[0]?.[0] ?? 0;
}

/** The highest number; 0 for none. */
export function highest(covered: Coverage): number {
  return covered.at(-1)?.[1] ?? 0;
}

/** Numbers between the spans. */
export function numbersBetween(covered: Coverage): number[] {
  return covered.flatMap(([, upTo], index) => {
    const next = covered[index + 1]?.[0] ?? upTo + 1;
    return Array.from({ length: next - upTo - 1 }, (_, offset) => upTo + 1 + offset);
  });
}

/** Reports whether both are equal. */
export function isSame(a: Coverage, b: Coverage): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Received statements about the numbers of one device. Read messages count as delivered, too. */
export interface DeviceReceipt {
  readonly delivered: Coverage;
  readonly read: Coverage;
}

export const NO_RECEIPT: DeviceReceipt = { delivered: NOTHING_COVERED, read: NOTHING_COVERED };

/** A receipt's statement about a device; null for none. */
export function deviceReceiptIn(
  { delivered, read, from, missing }: ReceiptContent,
  deviceId: string,
): DeviceReceipt | null {
  const of = <Value>(values: Readonly<Record<string, Value>> | undefined) =>
    values && Object.hasOwn(values, deviceId) ? values[deviceId] : undefined;
  const covered = (upTo: number | undefined) => coverage(of(from) ?? 1, upTo ?? 0, of(missing) ?? []);
  const isRead = covered(of(read));
  const reported = { delivered: joined(covered(of(delivered)), isRead), read: isRead };
  return reported.delivered.length === 0 ? null : reported;
}

export function joinedReceipts(a: DeviceReceipt, b: DeviceReceipt): DeviceReceipt {
  return { delivered: joined(a.delivered, b.delivered), read: joined(a.read, b.read) };
}
