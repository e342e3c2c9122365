/**
 * Time at which a copy counts as received. The relay states it, and could date a copy back to before a
 * removal. So it counts as no earlier than this device's own knowledge (docs/protocol.md, 'Times of the
 * relay'). All times are milliseconds since 1970.
 */

/** Time before the last end of the queue at which a copy may have arrived: stored during that read. */
const MARGIN = 5 * 60_000;
/** Limit for the effect of a relay's fast clock on later copies. */
const AHEAD = 24 * 3_600_000;

/** Longest read of the queue, in milliseconds: a whole queue takes minutes. */
export const LONGEST_READING = 3_600_000;

/** Ends of the queue, even for a relay that reports more on every page. */
export class QueueEnds {
  #lastEnd: number | null = null;
  #began: number | null = null;

  /**
   * The last end of the queue for judging a copy. A read longer than {@link LONGEST_READING} counts as ended
   * at its start.
   * @param lastEnd stored value; null for none
   */
  counted(lastEnd: number | null, now: number): number | null {
    if (this.#began === null || this.#lastEnd !== lastEnd) {
      this.#lastEnd = lastEnd;
      this.#began = now;
    }
    return now - this.#began <= LONGEST_READING ? lastEnd : Math.max(lastEnd ?? 0, this.#began);
  }
}

export interface Reading {
  /** Time at which the copy before it counts as received; null for the first. */
  previous: number | null;
  /** Previous time at which this device read its queue to the end, by its own clock; null for never. */
  lastEnd: number | null;
  /** By the own clock. */
  now: number;
}

/**
 * Time at which a copy counts as received.
 * @param reported time from the relay
 */
export function countedReceivedAt(reported: number, { previous, lastEnd, now }: Reading): number {
  const known = Math.max(previous ?? 0, lastEnd === null ? 0 : lastEnd - MARGIN);
  return Math.max(known, Math.min(reported, now + AHEAD));
}
