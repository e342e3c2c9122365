/**
 * Missing messages of one device in one conversation, by the numbers that it counts (docs/protocol.md,
 * 'Gaps'). The state is plain data; the functions return a new one.
 *
 * A number is missing after a higher one has arrived. It counts when the queue was read to its end, and again
 * at least two minutes later. Until then it may be on its way, and a computer that was asleep in between must
 * read first. Then this device requests it. A day later the person is informed, until it arrives or its
 * author states that it does not exist.
 *
 * Reset the state to null for blocked, removed and expired devices, and after leaving a group.
 */

const MINUTE = 60_000;
/** Time from the end of the queue until a number counts as missing, in milliseconds. */
const SETTLING = 2 * MINUTE;
/** Time from the request until the person is informed, in milliseconds. */
const WAIT_FOR_ANSWER = 24 * 60 * MINUTE;
/** The least pause after which tracking restarts, in milliseconds: a relay could report a retention of a second, and drop messages unseen. */
const LEAST_PAUSE = 7 * 24 * 60 * MINUTE;
/** Limit of missing numbers of one device: the highest are remembered. */
export const MAX_MISSING = 200;
/** Limit of numbers of one device in one receipt. */
export const MAX_REQUESTED = 20;

export interface MissingNumber {
  readonly seq: number;
  /** Time of the first end of the queue after the gap was noticed. All times are milliseconds since 1970. */
  readonly settledAt: number | null;
  readonly requestedAt: number | null;
  /** True if the person is informed of it. */
  readonly isReported: boolean;
}

export interface DeviceGaps {
  /** The first number received, or the lowest remembered missing number. Nothing is known of earlier ones. */
  readonly base: number;
  /** The highest number received. */
  readonly high: number;
  /** Missing numbers in between, ascending. */
  readonly missing: readonly MissingNumber[];
}

/**
 * State after a message was received.
 * @param seq its number; 0 is not counted
 */
export function afterMessage(gaps: DeviceGaps | null, seq: number): DeviceGaps | null {
  if (seq === 0) return gaps;
  if (!gaps) return { base: seq, high: seq, missing: [] };
  if (seq <= gaps.high) return without(gaps, [seq]);
  const first = Math.max(gaps.high + 1, seq - MAX_MISSING);
  const noticed = Array.from({ length: seq - first }, (_, index) => ({
    seq: first + index,
    settledAt: null,
    requestedAt: null,
    isReported: false,
  }));
  const missing = [...gaps.missing, ...noticed];
  const kept = missing.slice(-MAX_MISSING);
  const isForgotten = kept.length < missing.length || first > gaps.high + 1;
  return { base: isForgotten ? (kept[0]?.seq ?? seq) : gaps.base, high: seq, missing: kept };
}

/** State after the author's device stated that these numbers do not exist for this device. */
export function afterSkipped(gaps: DeviceGaps, skipped: readonly number[]): DeviceGaps {
  return without(gaps, skipped);
}

function without(gaps: DeviceGaps, seqs: readonly number[]): DeviceGaps {
  return { ...gaps, missing: gaps.missing.filter(({ seq }) => !seqs.includes(seq)) };
}

/**
 * State after the queue was read to its end.
 * @returns `toRequest`: the numbers to request now, at most {@link MAX_REQUESTED}
 */
export function afterQueueRead(gaps: DeviceGaps, now: number): { gaps: DeviceGaps; toRequest: number[] } {
  const toRequest: number[] = [];
  const missing = gaps.missing.map((number): MissingNumber => {
    const { seq, settledAt, requestedAt } = number;
    if (requestedAt !== null)
      return { ...number, isReported: number.isReported || now - requestedAt >= WAIT_FOR_ANSWER };
    // The two minutes restart after a clock was set back.
    if (settledAt === null || now < settledAt) return { ...number, settledAt: now };
    if (now - settledAt < SETTLING || toRequest.length === MAX_REQUESTED) return number;
    toRequest.push(seq);
    return { ...number, requestedAt: now };
  });
  return { gaps: { ...gaps, missing }, toRequest };
}

export interface Pause {
  /** Last time at which the queue was read to its end; null for never. */
  lastEnd: number | null;
  now: number;
  /** Retention of the relay, in milliseconds. */
  retention: number;
}

/**
 * Reports whether a pause was longer than the relay's retention, so that envelopes were dropped, and than a week. Check this before
 * reading again.
 */
export function isTooLong({ lastEnd, now, retention }: Pause): boolean {
  return lastEnd !== null && now - lastEnd > Math.max(retention, LEAST_PAUSE);
}

/** Reports whether the person is informed that messages may be missing. */
export function isReported({ missing }: DeviceGaps): boolean {
  return missing.some((number) => number.isReported);
}

/**
 * Statement of a receipt about a device: all numbers from one up to another have arrived, except requested
 * ones. It ends before an unrequested number, which may be on its way.
 * @returns `upTo`: null if no statement is possible
 */
export function arrivedUpTo({ base, high, missing }: DeviceGaps): {
  from: number;
  upTo: number | null;
  missing: number[];
} {
  const unknown = missing.find(({ requestedAt }, index) => requestedAt === null || index === MAX_REQUESTED);
  const upTo = unknown ? unknown.seq - 1 : high;
  const requested = missing.filter(({ seq }) => seq <= upTo).map(({ seq }) => seq);
  return upTo < base ? { from: base, upTo: null, missing: [] } : { from: base, upTo, missing: requested };
}
