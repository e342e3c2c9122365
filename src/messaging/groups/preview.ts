/** A group before joining, as its chain shows it to a person with a proof. Nothing is stored. */
import { emptyRoster, type RosterState } from '../../protocol/roster/state.ts';
import type { AdmissionRequest } from '../../protocol/schemas/rosters.ts';
import type { GroupSource } from '../relay.ts';
import type { RememberedGroup } from './chain-memory.ts';
import { type FollowParts, foldProven } from './follow.ts';

/** Limit of pages: a link from outside must not cause more calls. */
const MAX_PAGES = 10;

/**
 * The state after the newest entry that the relay shows. The id of a group is the hash of its first entry, and each entry is
 * signed: a dishonest relay can return an earlier state, but no other name.
 * @returns null for a chain that is longer than {@link MAX_PAGES}, or that cannot be followed to its end
 * @throws RelayRefusal for an invalid proof; RelayUnreachable
 */
export async function previewGroup(
  parts: Pick<FollowParts<RememberedGroup>, 'lists' | 'now'> & { source: GroupSource },
  groupId: string,
  admission: AdmissionRequest,
): Promise<RosterState | null> {
  await parts.source.admit(groupId, admission);
  let state = emptyRoster(groupId);
  for (let page = 0; page < MAX_PAGES; page++) {
    const { entries, more } = await parts.source.roster(groupId, state.epoch);
    const folded = await foldProven(parts, state, entries);
    state = folded.state;
    if (folded.end || state.epoch === 0) return null;
    if (!more || entries.length === 0) return state;
  }
  return null;
}
