/**
 * Where a message stands in its timeline that was missing and comes late: between those that its sender wrote before and
 * after it. The sender signed when it was, so a relay cannot put it elsewhere.
 */
import type { Place } from '../cache/message-rows.ts';
import type { Spot, Surroundings } from '../cache/timelines.ts';

/**
 * @param sentAt as it was signed, in milliseconds since 1970
 * @returns null for the end of the timeline
 */
export function findLatePlace(sentAt: number, { before, after, come }: Surroundings): Place | null {
  if (!after) return null;
  // By several devices whose clocks differ: what was written before it counts.
  if (before && comparePlaces(before, after) > 0) return { place: before.place, late: sentAt };
  if (come !== null && come > (before?.place ?? -1)) {
    if (come < after.place || (come === after.place && after.late > 0)) return { place: come, late: sentAt };
    // Its sender's clock is ahead: right before what they wrote next.
    return { place: after.late > 0 ? after.place : after.place - 1, late: sentAt };
  }
  return { place: before?.place ?? after.place - 1, late: sentAt };
}

function comparePlaces(one: Spot, other: Spot): number {
  return one.place - other.place || one.late - other.late || one.id - other.id;
}
