/**
 * Follows a group's chain at the relay: entries after the pinned one are fetched page by page, folded, and
 * pinned. It never goes back: an invalid continuation changes nothing and returns the reason.
 */
import { RelayUnreachable } from '../../base/failure.ts';
import { openEntry } from '../../protocol/roster/entry.ts';
import { foldRoster } from '../../protocol/roster/fold.ts';
import { type RosterEntry, readKind } from '../../protocol/roster/forms.ts';
import { pastEntryOf } from '../../protocol/roster/history.ts';
import type { SetField } from '../../protocol/roster/set-fields.ts';
import { emptyRoster, personOf, type RosterState } from '../../protocol/roster/state.ts';
import type { RosterContext, RosterEnd } from '../../protocol/roster/verdict.ts';
import type { ChainSource } from '../relay.ts';
import type { ListWant, SignerLists } from '../trust/signer-lists.ts';
import {
  type AcceptedEntry,
  type ChainStop,
  type GroupMemory,
  MAX_WHOLE_ENTRIES,
  type RememberedGroup,
} from './chain-memory.ts';

/** Limit of pages per call, against a relay that sends entries one by one. The next call continues. */
export const MAX_PAGES = 2_000;

/** Characters of set names and descriptions that wait in memory for the next write. */
const MAX_UNSTORED_TEXT = 1024 * 1024;

/** Share of the chain that is read before it is stored, so that a killed program reads at most as much again. */
const STORED_SHARE = 0.5;

export interface FollowParts<G extends RememberedGroup> {
  source: ChainSource;
  lists: SignerLists;
  memory: GroupMemory<G>;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface Followed<G extends RememberedGroup> {
  /** Null while the group is not stored: it has no valid entry, or is not to be stored. */
  group: G | null;
  /** Reason why the rest of the chain was not folded; null if complete. */
  stop: ChainStop | null;
}

/**
 * Folds the entries after the pinned one.
 * @param keeps whether to store an unknown group, by a state of its chain: relays can invent any number of
 * groups, and room is limited
 * @throws RelayRefusal, RelayUnreachable; Failure if there is no room for another group
 */
export async function follow<G extends RememberedGroup>(
  parts: FollowParts<G>,
  groupId: string,
  keeps: (state: RosterState) => boolean,
): Promise<Followed<G>> {
  const { source, memory } = parts;
  let group = memory.find(groupId);
  // A group of a history has no entry yet, only a name.
  let state = group && group.state.epoch > 0 ? group.state : emptyRoster(groupId);
  /** Entries that are not stored yet. */
  let accepted: AcceptedEntry[] = [];
  let unstoredText = 0;
  let isWanted = group !== null;
  const store = () => {
    if (accepted.length === 0 || !isWanted) return;
    group = memory.advance(state, accepted);
    accepted = [];
    unstoredText = 0;
  };
  const nextPage = async () => {
    const { entries, more } = await source.roster(groupId, state.epoch);
    if (entries.length === 0) return { isLast: true, end: null };
    const folded = await foldProven(parts, state, entries);
    state = folded.state;
    accepted = withoutOldWhole([...accepted, ...folded.accepted]);
    unstoredText += folded.accepted.reduce((sum, { sets }) => sum + textLength(sets), 0);
    isWanted ||= keeps(state);
    return { isLast: !more || folded.end !== null, end: folded.end };
  };
  for (let page = 0; page < MAX_PAGES; page++) {
    const { isLast, end } = await nextPage().catch((error: unknown) => {
      store();
      throw error;
    });
    if (isLast) {
      store();
      if (end) return { group, stop: stopAfter(group, end, state) };
      return { group, stop: state.epoch === 0 ? { why: 'behind' } : null };
    }
    // Each write has the whole state: a write for each page would be quadratic in the length of the chain.
    if (accepted.length >= state.epoch * STORED_SHARE || unstoredText >= MAX_UNSTORED_TEXT) store();
  }
  store();
  throw new RelayUnreachable('relay_wrong_answer');
}

function textLength(sets: readonly SetField[]): number {
  return sets.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

/** Reason for stopping after a state. A chain without the pinned entry has lost it. */
function stopAfter(group: RememberedGroup | null, end: RosterEnd, { epoch, hash }: RosterState): ChainStop {
  const isOther = end.end === 'refused' && end.reason === 'wrong_previous' && group?.state.hash === hash;
  return isOther ? { why: 'replaced' } : stopOf(end, epoch + 1);
}

/** The same entries, with only the newest stored completely. */
export function withoutOldWhole(accepted: readonly AcceptedEntry[]): AcceptedEntry[] {
  const first = accepted.length - MAX_WHOLE_ENTRIES;
  return accepted.map((each, index) => (index < first ? { ...each, entry: null } : each));
}

/**
 * Folds entries after fetching all device lists that they name.
 * @throws RelayRefusal, RelayUnreachable
 */
export async function foldProven(
  { lists, now }: Pick<FollowParts<RememberedGroup>, 'lists' | 'now'>,
  state: RosterState,
  entries: readonly RosterEntry[],
): Promise<{ state: RosterState; accepted: AcceptedEntry[]; end: RosterEnd | null }> {
  await lists.prove(entries.flatMap((entry) => listsNamed(state, entry)));
  const folded = foldRoster(state, entries, contextOf(lists, now()));
  const accepted = folded.entries.flatMap((each, index) => {
    const entry = entries[index];
    return entry ? [{ entry, past: pastEntryOf(each), sets: each.sets }] : [];
  });
  return { state: folded.state, accepted, end: folded.end };
}

/**
 * Context for judging entries.
 * @param now milliseconds since 1970
 */
export function contextOf(lists: SignerLists, now: number): RosterContext {
  return { now, deviceList: (address, sequence) => lists.known(address, sequence) };
}

/**
 * Device lists needed to judge an entry: its own, its ticket's, and for both the highest named by the chain.
 */
export function listsNamed(state: RosterState, entry: RosterEntry): ListWant[] {
  const opened = openEntry(entry);
  if (!opened) return [];
  const body = readKind(opened.json);
  const { by, list } = opened.json;
  const named = [{ address: by, sequence: list }];
  if (body && body !== 'newer' && body.kind === 'join' && body.ticket) {
    named.push({ address: body.ticket.by, sequence: body.ticket.list });
  }
  const highest = named.flatMap(({ address }) => {
    const sequence = personOf(state, address)?.list;
    return sequence ? [{ address, sequence }] : [];
  });
  return [...named, ...highest];
}

/**
 * The end of a fold as a reason for stopping.
 * @param epoch of the first entry that was not folded
 */
export function stopOf(end: RosterEnd, epoch: number): ChainStop {
  if (end.end === 'newer') return { why: 'newer' };
  if (end.end === 'refused') return { why: 'refused', reason: end.reason, epoch };
  return end.for === 'clock' ? { why: 'clock' } : { why: 'list', address: end.address };
}
