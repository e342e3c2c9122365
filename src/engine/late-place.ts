/**
 * Where a message stands in its timeline that was missing and comes late: between those that its sender wrote before and
 * after it. The sender signed when it was, so a relay cannot put it elsewhere.
 */
import type { Place } from './cache/message-rows.ts';
import type { Neighbour } from './cache/timelines.ts';

/** Messages that are looked at. One that belongs further back stands at the end. */
const MOST_LOOKS = 2_000;

/**
 * @param sentAt as it was signed, in milliseconds since 1970
 * @param newestFirst the timeline, from its newest message back
 * @returns null for the end of the timeline
 */
export function findLatePlace(
  sender: string,
  sentAt: number,
  newestFirst: Iterable<Neighbour>,
): Place | null {
  /** The first that its sender wrote after it. */
  let next: Neighbour | null = null;
  /** The last of others that was here when it was written. */
  let before: Neighbour | null = null;
  let looks = 0;
  for (const each of newestFirst) {
    if (looks++ === MOST_LOOKS) return null;
    if (each.sender !== sender || !each.isSigned) {
      if (each.storedAt <= sentAt) before ??= each;
      continue;
    }
    if (each.sentAt <= sentAt) return next && { place: (before ?? each).place, late: sentAt };
    next = each;
    before = null;
  }
  // Nothing that its sender wrote before it was a message.
  return next && { place: before?.place ?? next.place - 1, late: sentAt };
}
