/**
 * Members who left a group between two checks of it, and the person who removed them.
 */
import { departuresOf, type PastEntry } from '../../protocol/roster/history.ts';
import { isMember, membersOf, type RosterState } from '../../protocol/roster/state.ts';

/** A former member. */
export interface MemberDeparture {
  address: string;
  /** The signer of the entry that ended the membership: they themselves, or who removed them; null where it is not remembered. */
  by: string | null;
}

/**
 * Departures in the order of the entries, those that are not remembered first.
 * @param newestFirst the stored entries, from the last one back; read no further than the entry after `before`
 */
export function memberDepartures(
  before: RosterState,
  after: RosterState,
  newestFirst: Iterable<PastEntry>,
): MemberDeparture[] {
  const left = new Set(membersOf(before).filter((address) => !isMember(after, address)));
  if (left.size === 0) return [];
  const known: MemberDeparture[] = [];
  for (const entry of newestFirst) {
    if (entry.body.epoch <= before.epoch || left.size === 0) break;
    for (const { address } of departuresOf(entry).toReversed()) {
      if (left.delete(address)) known.push({ address, by: entry.body.by });
    }
  }
  return [...[...left].map((address) => ({ address, by: null })), ...known.toReversed()];
}
