/**
 * Appends an own entry to a group's chain. If another entry came first, the chain is read again, the change
 * is checked again, and it is signed for its new place.
 */
import { Failure, RelayUnreachable } from '../../base/failure.ts';
import { requireValidName } from '../../base/names.ts';
import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import type { RosterContent, RosterEntry } from '../../protocol/roster/forms.ts';
import { nextEntry, type RosterSigner } from '../../protocol/roster/making.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import { type ChainKeeper, RelayRefusal } from '../relay.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';
import { type FollowParts, foldProven } from './follow.ts';

/** Number of attempts to sign an entry after others came first. */
const MAX_TRIES = 5;

/** Contents to append: anything but the creation. */
export type Action = Exclude<RosterContent, { kind: 'create' }>;

export interface ActParts<G extends RememberedGroup> extends FollowParts<G> {
  keeper: ChainKeeper;
  memory: GroupMemory<G>;
  /** @throws RelayUnreachable while this device is missing from its own device list */
  signer(): RosterSigner;
  /**
   * Fetches the newest own device list: another own device may have changed it.
   * @throws the errors of the call
   */
  renewSigner(): Promise<void>;
}

/** The group after an own entry, and that entry; null if there was nothing to do. */
export interface Acted<G extends RememberedGroup> {
  group: G;
  entry: RosterEntry | null;
}

/** Reports whether the relay refused an entry because it names an old list of its signer. */
export function isOutdatedList(error: RelayRefusal): boolean {
  return error.code === 'roster_refused' && error.parameters.reason === 'list_not_newest';
}

/**
 * Appends an entry.
 * @param read the current group according to the relay, ready to be changed
 * @param make the contents for a state; null if there is nothing to do
 * @param password sent to the relay with a new `joinKey`
 * @throws Failure 'roster_act_refused' for an invalid entry, 'name_empty', 'name_long', 'description_long';
 * the errors of `read` and `make`; RelayRefusal, RelayUnreachable
 */
export async function act<G extends RememberedGroup>(
  parts: ActParts<G>,
  read: () => Promise<G>,
  make: (state: RosterState) => Action | null,
  password?: string,
): Promise<Acted<G>> {
  const { keeper, memory, signer, now } = parts;
  let tried: RosterEntry | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const group = await read();
    // The relay has stored the entry, regardless of its answer.
    if (tried && hasEntry(memory, group, tried)) return { group, entry: tried };
    const content = make(group.state);
    if (!content) return { group, entry: null };
    if (content.kind === 'change') requireValidName(content);
    const entry = nextEntry(group.state, signer(), content, now());
    tried = entry;
    const { state, accepted, end } = await foldProven(parts, group.state, [entry]);
    if (end)
      throw new Failure('roster_act_refused', { reason: end.end === 'refused' ? end.reason : end.end });
    try {
      await keeper.appendEntry(group.groupId, entry, password);
    } catch (error) {
      if (!(error instanceof RelayRefusal)) throw error;
      if (isOutdatedList(error)) await parts.renewSigner();
      else if (error.code !== 'roster_conflict') throw error;
      continue;
    }
    // The entry may have arrived with the chain before the answer.
    const current = memory.find(group.groupId);
    if (current && current.state.epoch >= state.epoch) return { group: current, entry };
    return { group: memory.advance(state, accepted), entry };
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
