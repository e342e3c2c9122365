/**
 * Adding an entry of one's own to a group's chain. Another entry may take its place meanwhile: then the chain is read
 * again, it is looked at whether the change still makes sense, and it is signed for its new place.
 */
import { Failure, RelayUnreachable } from '../../base/failure.ts';
import { requireWords } from '../../base/names.ts';
import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import type { RosterContent, RosterEntry } from '../../protocol/roster/forms.ts';
import { nextEntry, type RosterSigner } from '../../protocol/roster/making.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import { type ChainKeeper, RelayRefusal } from '../relay.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';
import { type FollowParts, foldProven } from './follow.ts';

/** How often an entry is signed again because another came before it. */
const MOST_TRIES = 5;

/** What is appended: anything but the creation. */
export type Action = Exclude<RosterContent, { kind: 'create' }>;

export interface ActParts<G extends RememberedGroup> extends FollowParts<G> {
  keeper: ChainKeeper;
  memory: GroupMemory<G>;
  /** @throws RelayUnreachable while this device stands in no list of its own */
  signer(): RosterSigner;
  /** Asks for the newest own device list: another device of the user's may have changed it. @throws as any call */
  renewSigner(): Promise<void>;
}

/** The group after an entry of one's own, and that entry; null if nothing was to be done. */
export interface Acted<G extends RememberedGroup> {
  group: G;
  entry: RosterEntry | null;
}

/** Whether an entry was refused because its signer knows an older list of its own than is published. */
export function isOfOldList(error: RelayRefusal): boolean {
  return error.code === 'roster_refused' && error.parameters.reason === 'list_not_newest';
}

/**
 * Appends an entry.
 * @param read the group as the relay shows it now, with nothing in the way of changing it
 * @param make what to append to a state; null where there is nothing to do
 * @param password what the relay is told with a new `joinKey`
 * @throws Failure 'roster_act_refused' if the entry would not hold, 'name_empty', 'name_long', 'description_long'; what `read` and `make` throw; RelayRefusal,
 *   RelayUnreachable
 */
export async function act<G extends RememberedGroup>(
  parts: ActParts<G>,
  read: () => Promise<G>,
  make: (state: RosterState) => Action | null,
  password?: string,
): Promise<Acted<G>> {
  const { keeper, memory, signer, now } = parts;
  let tried: RosterEntry | null = null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const group = await read();
    // The relay has taken it, whatever it said.
    if (tried && hasEntry(memory, group, tried)) return { group, entry: tried };
    const content = make(group.state);
    if (!content) return { group, entry: null };
    if (content.kind === 'change') requireWords(content);
    const entry = nextEntry(group.state, signer(), content, now());
    tried = entry;
    const { state, taken, end } = await foldProven(parts, group.state, [entry]);
    if (end)
      throw new Failure('roster_act_refused', { reason: end.end === 'refused' ? end.reason : end.end });
    try {
      await keeper.appendEntry(group.groupId, entry, password);
    } catch (error) {
      if (!(error instanceof RelayRefusal)) throw error;
      if (isOfOldList(error)) await parts.renewSigner();
      else if (error.code !== 'roster_conflict') throw error;
      continue;
    }
    // It may have come back with the chain while the answer was on its way.
    const current = memory.find(group.groupId);
    if (current && current.state.epoch >= state.epoch) return { group: current, entry };
    return { group: memory.advance(state, taken), entry };
  }
  throw new RelayUnreachable('group_keeps_changing');
}

function hasEntry<G extends RememberedGroup>(
  memory: GroupMemory<G>,
  { groupId }: G,
  entry: RosterEntry,
): boolean {
  return memory.hashAt(groupId, openEntry(entry)?.json.epoch ?? 0) === entryHash(entry);
}
