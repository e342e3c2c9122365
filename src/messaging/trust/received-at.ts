/**
 * When a copy counts as received. The relay says so, and could date a copy back to before a removal; so it counts as no
 * earlier than what this device knows (docs/protocol.md, 'Times of the relay'). All times are milliseconds since 1970.
 */

/** How much earlier than the last end of the queue a copy may have come: what was stored while that was read. */
const MARGIN = 5 * 60_000;
/** A relay whose clock is ahead does not move what comes later by more. */
const AHEAD = 24 * 3_600_000;

/** The longest that reading what waits may take, in milliseconds: a whole queue takes minutes. */
export const LONGEST_READING = 3_600_000;

/** When the queue was read to its end, also of a relay that says of every page that more waits. */
export class QueueEnds {
  #lastEnd: number | null = null;
  #began: number | null = null;

  /**
   * What counts as the last end when a copy is judged. What was read for longer than {@link LONGEST_READING} counts as read
   * to its end when that began.
   * @param lastEnd as it was noted; null if there was none
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
  /** When the copy before it counts as received; null for the first. */
  previous: number | null;
  /** When this device last read its queue to its end before, by its own clock; null if it never did. */
  lastEnd: number | null;
  /** By the own clock. */
  now: number;
}

/** When a copy counts as received. @param told what the relay says */
export function countedReceivedAt(told: number, { previous, lastEnd, now }: Reading): number {
  const known = Math.max(previous ?? 0, lastEnd === null ? 0 : lastEnd - MARGIN);
  return Math.max(known, Math.min(told, now + AHEAD));
}
