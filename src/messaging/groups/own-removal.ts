/**
 * The removal of the user from a group, as entries from another member: the relay shows no entry to former members. Only the
 * chain proves its author.
 */
import { openEntry } from '../../protocol/roster/entry.ts';
import { type RosterEntry, readKind } from '../../protocol/roster/forms.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { AcceptedEntry } from './chain-memory.ts';
import { type FollowParts, foldProven } from './follow.ts';

/** Members that an entry removes; empty for all other entries. */
export function removedIn(entry: RosterEntry): readonly string[] {
  const opened = openEntry(entry);
  const body = opened && readKind(opened.json);
  return body && body !== 'newer' && body.kind === 'change' ? (body.remove ?? []) : [];
}

/**
 * The entries after a state up to the first one that removes an address.
 * @param entries unproven, oldest first
 * @returns empty without such an entry, or if the first entry does not follow the state
 */
export function entriesToRemoval(
  { epoch, people }: Pick<RosterState, 'epoch' | 'people'>,
  entries: readonly RosterEntry[],
  address: string,
): readonly RosterEntry[] {
  if (!isMember({ people }, address)) return [];
  const after = entries.filter((entry) => (openEntry(entry)?.json.epoch ?? 0) > epoch);
  const end = after.findIndex((entry) => removedIn(entry).includes(address));
  const [first] = after;
  return first && openEntry(first)?.json.epoch === epoch + 1 ? after.slice(0, end + 1) : [];
}

/**
 * Folds entries that end with the removal of an address.
 * @returns null if they are not a valid continuation of the chain
 * @throws RelayRefusal, RelayUnreachable
 */
export async function foldRemoval(
  parts: Pick<FollowParts<never>, 'lists' | 'now'>,
  before: RosterState,
  entries: readonly RosterEntry[],
  address: string,
): Promise<{ state: RosterState; accepted: AcceptedEntry[] } | null> {
  const { state, accepted } = await foldProven(parts, before, entries);
  return accepted.length === entries.length && !isMember(state, address) ? { state, accepted } : null;
}
