/**
 * Another chain than the pinned one. A relay that went back to a backup has lost entries, and may have been given others in
 * their place before a member could give back the lost ones: by someone who was removed, for one, and who left. The pinned
 * chain is never left for it without the person's word, nor while it has someone whom the lost entries ended (docs/protocol.md,
 * 'Rosters').
 */
import { Failure, RelayUnreachable, UnverifiableError } from '../../base/failure.ts';
import { entryHash } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import { departuresOf, type PastEntry } from '../../protocol/roster/history.ts';
import { nextEntry } from '../../protocol/roster/making.ts';
import {
  emptyRoster,
  isCreatorOrAdmin,
  isMember,
  personOf,
  type RosterState,
} from '../../protocol/roster/state.ts';
import { RelayRefusal } from '../relay.ts';
import { type ActParts, isOfOldList } from './act.ts';
import type { RememberedGroup, TakenEntry } from './chain-memory.ts';
import { type FollowParts, foldProven, MOST_PAGES, stopOf, withoutOldWhole } from './follow.ts';
import { stopProblem } from './problems.ts';
import { restating } from './restating.ts';

/** How often it is read again because others change it meanwhile. */
const MOST_READS = 5;
/** Changes that say again what was lost: each ends a hundred members, and there are no more than 5,000. */
const MOST_SAID = 100;

/** The chain that the relay shows, where it leaves the pinned one. */
export interface OtherChain {
  /** After the last entry that both have. */
  fork: RosterState;
  state: RosterState;
  /** All its entries. */
  taken: readonly TakenEntry[];
}

/**
 * What a group goes on with in place of what is pinned. One who may change it by both chains says in the other what was lost:
 * that lets all others go on.
 * @param own the user's address
 * @returns null if what is pinned is not lost; else with the entries that the user has added
 * @throws UnverifiableError 'roster_unconfirmed' while nobody has done that, and others if the chain does not hold or is an
 *   earlier state of the pinned one; Failure 'roster_act_refused'; RelayRefusal, RelayUnreachable
 */
export async function findOther<G extends RememberedGroup>(
  parts: ActParts<G>,
  pinned: G,
  own: string,
): Promise<{ other: OtherChain; said: RosterEntry[] } | null> {
  const said: RosterEntry[] = [];
  for (let reads = 0; reads < MOST_READS; reads++) {
    const shown = await readOther(parts, pinned);
    if (!shown) return null;
    if (!isMember(shown.state, own)) throw stopProblem({ why: 'shut' });
    const judge = new Judge(parts, pinned, shown.fork);
    const isOwner = judge.mayChange(shown.state, own);
    const other = isOwner ? await sayAgain(parts, judge, shown, own, said) : shown;
    // Another entry came first.
    if (!other) continue;
    if (!judge.isConfirmed(other)) throw new UnverifiableError('roster_unconfirmed');
    return { other, said };
  }
  throw new RelayUnreachable('group_keeps_changing');
}

/** Folds the chain that the relay shows from its beginning. Null if it has all that is pinned. */
async function readOther<G extends RememberedGroup>(
  parts: FollowParts<G>,
  { groupId, state: pinned }: G,
): Promise<OtherChain | null> {
  let state = emptyRoster(groupId);
  let taken: TakenEntry[] = [];
  let fork: RosterState | null = null;
  const take = async (entries: readonly RosterEntry[]) => {
    const folded = await foldProven(parts, state, entries);
    state = folded.state;
    taken = withoutOldWhole([...taken, ...folded.taken]);
    if (folded.end) throw stopProblem(stopOf(folded.end, state.epoch + 1));
  };
  for (let page = 0; page < MOST_PAGES; page++) {
    const { entries, more } = await parts.source.roster(groupId, state.epoch);
    const common = fork ? 0 : countPinned(parts, state, entries);
    await take(entries.slice(0, common));
    if (!fork && common < entries.length) fork = state;
    await take(entries.slice(common));
    if (more && entries.length > 0) continue;
    if ((fork ?? state).hash === pinned.hash) return null;
    if (!fork) throw stopProblem({ why: 'behind' });
    return { fork, state, taken };
  }
  throw new RelayUnreachable('relay_wrong_answer');
}

/** How many of the entries after a state the pinned chain has, too. */
function countPinned<G extends RememberedGroup>(
  { memory }: FollowParts<G>,
  { groupId, epoch }: RosterState,
  entries: readonly RosterEntry[],
): number {
  const first = entries.findIndex(
    (entry, index) => memory.hashAt(groupId, epoch + 1 + index) !== entryHash(entry),
  );
  return first === -1 ? entries.length : first;
}

/** Says again what was lost. Null if another entry came first: then the chain has to be read again. */
async function sayAgain<G extends RememberedGroup>(
  parts: ActParts<G>,
  judge: Judge<G>,
  shown: OtherChain,
  own: string,
  said: RosterEntry[],
): Promise<OtherChain | null> {
  let other = shown;
  for (let count = 0; count < MOST_SAID; count++) {
    const states = { pinned: judge.pinned, fork: other.fork, state: other.state };
    const content = restating(states, own, judge.comeBack(other));
    // Something must be said once, though there is nothing to change: the others look for it.
    if (Object.keys(content).length === 1 && judge.isSaid(other)) break;
    const entry = nextEntry(other.state, parts.signer(), content, parts.now());
    const { state, taken, end } = await foldProven(parts, other.state, [entry]);
    if (end)
      throw new Failure('roster_act_refused', { reason: end.end === 'refused' ? end.reason : end.end });
    if (!(await isPosted(parts, shown.state.groupId, entry))) return null;
    said.push(entry);
    other = { ...other, state, taken: withoutOldWhole([...other.taken, ...taken]) };
  }
  return other;
}

async function isPosted<G extends RememberedGroup>(
  { keeper, renewSigner }: ActParts<G>,
  groupId: string,
  entry: RosterEntry,
): Promise<boolean> {
  try {
    await keeper.appendEntry(groupId, entry);
    return true;
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    if (isOfOldList(error)) await renewSigner();
    else if (error.code !== 'roster_conflict') throw error;
    return false;
  }
}

/** Whether a chain may take the place of the pinned one. */
class Judge<G extends RememberedGroup> {
  readonly pinned: RosterState;
  readonly #lists: ActParts<G>['lists'];
  /** Who left or was removed by the lost entries. */
  readonly #gone: readonly string[];

  constructor({ lists, memory }: ActParts<G>, { groupId, state }: G, fork: RosterState) {
    this.pinned = state;
    this.#lists = lists;
    const left = memory.after(groupId, fork.epoch).flatMap(departuresOf);
    const gone = new Set(left.map(({ address }) => address));
    this.#gone = [...gone].filter((address) => !isMember(state, address));
  }

  /** Whether someone may change the group by both chains. */
  mayChange(state: RosterState, address: string): boolean {
    return isCreatorOrAdmin(this.pinned, address) && isCreatorOrAdmin(state, address);
  }

  /** Whether someone who may by both has changed the group in the other chain. */
  isSaid({ fork, state, taken }: OtherChain): boolean {
    return taken.some(
      ({ past: { body, deviceId } }) =>
        body.epoch > fork.epoch && body.kind === 'change' && this.#speaks(state, body.by, deviceId),
    );
  }

  /** Members of the other chain whom the lost entries ended, and who were not invited again. */
  comeBack({ fork, state, taken }: OtherChain): string[] {
    const isInvited = (past: PastEntry | undefined) => {
      const ticket = past?.body.ticket;
      return ticket !== undefined && this.#speaks(state, ticket.by, ticket.deviceId);
    };
    return this.#gone.filter((address) => {
      const since = personOf(state, address)?.since ?? null;
      return since !== null && !(since > fork.epoch && isInvited(taken[since - 1]?.past));
    });
  }

  /** Whether it has nobody back, and someone who may has changed the group in it, so that what was lost is said again. */
  isConfirmed(other: OtherChain): boolean {
    const { creator, admins } = this.pinned;
    const isOwned = creator !== null || admins.length > 0;
    return this.comeBack(other).length === 0 && (!isOwned || this.isSaid(other));
  }

  #speaks(state: RosterState, address: string, deviceId: string): boolean {
    return this.mayChange(state, address) && !this.#lists.isDropped(address, deviceId);
  }
}
