/**
 * Place of a late message in its timeline: between the sender's messages before and after it. The sender
 * signed the time, so a relay cannot move it.
 */
import type { Place } from '../cache/message-rows.ts';
import type { Spot, Surroundings } from '../cache/timelines.ts';

/**
 * @param sentAt the signed time, in milliseconds since 1970
 * @returns null for the end of the timeline
 */
export function findLatePlace(sentAt: number, { before, after, come }: Surroundings): Place | null {
  if (!after) return null;
  // Devices with different clocks: the earlier neighbour counts.
  if (before && comparePlaces(before, after) > 0) return { place: before.place, late: sentAt };
  if (come !== null && come > (before?.place ?? -1)) {
    if (come < after.place || (come === after.place && after.late > 0)) return { place: come, late: sentAt };
    // The sender's clock is ahead: directly before their next message.
    return { place: after.late > 0 ? after.place : after.place - 1, late: sentAt };
  }
  return { place: before?.place ?? after.place - 1, late: sentAt };
}

function comparePlaces(one: Spot, other: Spot): number {
  return one.place - other.place || one.late - other.late || one.id - other.id;
}
