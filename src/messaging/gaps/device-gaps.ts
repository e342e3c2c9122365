/**
 * Which messages of one device in one conversation have not come, by the numbers that it counts up (docs/protocol.md, 'Gaps').
 * The state is plain data; the functions give a new one.
 *
 * A number is missing once a higher one has come. It counts when the queue has been read to its end, and read to its end again at
 * least two minutes later: until then it may be on its way, and a computer that slept in between must read first. Then it is asked
 * for. A day after that the person is told, until it comes or its author says that there is nothing.
 *
 * Forget the state (start with null again) of blocked, removed and expired devices, and after leaving a group.
 */

const MINUTE = 60_000;
/** How long after the queue was read to its end a number counts as missing, in milliseconds. */
const SETTLING = 2 * MINUTE;
/** How long after asking the person is told, in milliseconds. */
const WAIT_FOR_ANSWER = 24 * 60 * MINUTE;
/** Numbers of one device that are remembered as missing: the highest. */
export const MOST_MISSING = 200;
/** Numbers of one device in one receipt. */
export const MOST_ASKED = 20;

const UNCOUNTED_KINDS: ReadonlySet<string> = new Set(['receipt', 'hello']);

/**
 * Whether a body has a number (`seq`) of its own; others have 0.
 * @param signer who signs it
 * @param isForOne whether it is sealed for one member of a group alone
 */
export function isCounted(kind: string, signer: 'device' | 'bot' | null, isForOne: boolean): boolean {
  return signer === 'device' && !isForOne && !UNCOUNTED_KINDS.has(kind) && !kind.startsWith('own.');
}

export interface MissingNumber {
  readonly seq: number;
  /** When the queue was first read to its end after it was noticed. All times are milliseconds since 1970. */
  readonly settledAt: number | null;
  readonly askedAt: number | null;
  /** Whether the person is told of it. */
  readonly isTold: boolean;
}

export interface DeviceGaps {
  /** The first number that came. What was before is not missed. */
  readonly base: number;
  /** The highest that came. */
  readonly high: number;
  /** Those between that did not come, ascending. */
  readonly missing: readonly MissingNumber[];
}

/**
 * After a message was taken.
 * @param seq its number; 0 is not counted
 */
export function afterMessage(gaps: DeviceGaps | null, seq: number): DeviceGaps | null {
  if (seq === 0) return gaps;
  if (!gaps) return { base: seq, high: seq, missing: [] };
  if (seq <= gaps.high) return without(gaps, [seq]);
  const first = Math.max(gaps.high + 1, seq - MOST_MISSING);
  const noticed = Array.from({ length: seq - first }, (_, index) => ({
    seq: first + index,
    settledAt: null,
    askedAt: null,
    isTold: false,
  }));
  return { ...gaps, high: seq, missing: [...gaps.missing, ...noticed].slice(-MOST_MISSING) };
}

/** After the author's device has said that under these numbers there is nothing for this device. */
export function afterSkipped(gaps: DeviceGaps, skipped: readonly number[]): DeviceGaps {
  return without(gaps, skipped);
}

function without(gaps: DeviceGaps, seqs: readonly number[]): DeviceGaps {
  return { ...gaps, missing: gaps.missing.filter(({ seq }) => !seqs.includes(seq)) };
}

/**
 * After the queue was read to its end.
 * @returns `ask`: the numbers to ask for now, at most {@link MOST_ASKED}
 */
export function afterEnd(gaps: DeviceGaps, now: number): { gaps: DeviceGaps; ask: number[] } {
  const ask: number[] = [];
  const missing = gaps.missing.map((number): MissingNumber => {
    const { seq, settledAt, askedAt } = number;
    if (askedAt !== null) return { ...number, isTold: number.isTold || now - askedAt >= WAIT_FOR_ANSWER };
    // After a clock was set back the two minutes begin again.
    if (settledAt === null || now < settledAt) return { ...number, settledAt: now };
    if (now - settledAt < SETTLING || ask.length === MOST_ASKED) return number;
    ask.push(seq);
    return { ...number, askedAt: now };
  });
  return { gaps: { ...gaps, missing }, ask };
}

export interface Pause {
  /** When the queue was last read to its end; null if it never was. */
  lastEnd: number | null;
  now: number;
  /** Of the relay, in milliseconds. */
  retention: number;
}

/**
 * Whether a pause was longer than the relay keeps envelopes, so that it has dropped what came meanwhile. To be asked before
 * anything is read again.
 */
export function isTooLong({ lastEnd, now, retention }: Pause): boolean {
  return lastEnd !== null && now - lastEnd > retention;
}

/** What is left of the state after a pause: nothing after one that {@link isTooLong}. */
export function afterPause(gaps: DeviceGaps | null, pause: Pause): DeviceGaps | null {
  return isTooLong(pause) ? null : gaps;
}

/** Whether the person is told that something may be missing. */
export function isTold({ missing }: DeviceGaps): boolean {
  return missing.some((number) => number.isTold);
}

/**
 * What a receipt may say of a device: that all up to a number has come, but for some that were asked for. It ends before a
 * number that was not asked for yet, for that may still be on its way.
 * @returns `upTo`: null if nothing can be said, or so much is missing that some of it is forgotten
 */
export function arrivedUpTo({ base, high, missing }: DeviceGaps): { upTo: number | null; missing: number[] } {
  const unknown = missing.find(({ askedAt }, index) => askedAt === null || index === MOST_ASKED);
  const upTo = unknown ? unknown.seq - 1 : high;
  const asked = missing.filter(({ seq }) => seq <= upTo).map(({ seq }) => seq);
  return upTo < base || missing.length === MOST_MISSING
    ? { upTo: null, missing: [] }
    : { upTo, missing: asked };
}
