/**
 * A different chain than the pinned one. A relay restored from a backup has lost entries. Other entries may
 * have replaced them before a member restored the lost ones, for example by someone who had been removed. The
 * pinned chain is only replaced by decision of the person, and never while the new one contains someone whom
 * the lost entries removed (docs/protocol.md, 'Rosters').
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
import { type ActParts, isOutdatedList } from './act.ts';
import type { AcceptedEntry, RememberedGroup } from './chain-memory.ts';
import { type FollowParts, foldProven, MAX_PAGES, stopOf, withoutOldWhole } from './follow.ts';
import { stopProblem } from './problems.ts';
import { restating } from './restating.ts';

/** Number of reads while others change the chain. */
const MAX_READS = 5;
/**
 * Limit of changes that restate lost entries: each removes a hundred members, and there are at most 5,000.
 */
const MAX_SAID = 100;

/** The relay's chain, where it differs from the pinned one. */
export interface OtherChain {
  /** After the last common entry. */
  fork: RosterState;
  state: RosterState;
  /** All its entries. */
  accepted: readonly AcceptedEntry[];
}

/**
 * The chain to continue with in place of the pinned one. Someone with rights in both chains restates the lost
 * changes in the new one, which allows all others to continue.
 * @param own the user's address
 * @returns null if the pinned chain is not lost; else the chain with the entries that the user has added
 * @throws UnverifiableError 'roster_unconfirmed' before anyone has done that, and others if the chain is
 * invalid or an earlier state of the pinned one; Failure 'roster_act_refused'; RelayRefusal, RelayUnreachable
 */
export async function findOther<G extends RememberedGroup>(
  parts: ActParts<G>,
  pinned: G,
  own: string,
): Promise<{ other: OtherChain; restated: RosterEntry[] } | null> {
  const restated: RosterEntry[] = [];
  for (let reads = 0; reads < MAX_READS; reads++) {
    const shown = await readOther(parts, pinned);
    if (!shown) return null;
    if (!isMember(shown.state, own)) throw stopProblem({ why: 'shut' });
    const judge = new Judge(parts, pinned, shown.fork);
    const isOwner = judge.mayChange(shown.state, own);
    const other = isOwner ? await restate(parts, judge, shown, own, restated) : shown;
    // Another entry came first.
    if (!other) continue;
    if (!judge.isConfirmed(other)) throw new UnverifiableError('roster_unconfirmed');
    return { other, restated };
  }
  throw new RelayUnreachable('group_keeps_changing');
}

/** Folds the relay's chain from its beginning. Null if it contains the whole pinned chain. */
async function readOther<G extends RememberedGroup>(
  parts: FollowParts<G>,
  { groupId, state: pinned }: G,
): Promise<OtherChain | null> {
  let state = emptyRoster(groupId);
  let accepted: AcceptedEntry[] = [];
  let fork: RosterState | null = null;
  const accept = async (entries: readonly RosterEntry[]) => {
    const folded = await foldProven(parts, state, entries);
    state = folded.state;
    accepted = withoutOldWhole([...accepted, ...folded.accepted]);
    if (folded.end) throw stopProblem(stopOf(folded.end, state.epoch + 1));
  };
  for (let page = 0; page < MAX_PAGES; page++) {
    const { entries, more } = await parts.source.roster(groupId, state.epoch);
    const common = fork ? 0 : countPinned(parts, state, entries);
    await accept(entries.slice(0, common));
    if (!fork && common < entries.length) fork = state;
    await accept(entries.slice(common));
    if (more && entries.length > 0) continue;
    if ((fork ?? state).hash === pinned.hash) return null;
    if (!fork) throw stopProblem({ why: 'behind' });
    return { fork, state, accepted };
  }
  throw new RelayUnreachable('relay_wrong_answer');
}

/** Number of entries after a state that the pinned chain contains, too. */
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

/** Restates lost changes. Null if another entry came first: then the chain has to be read again. */
async function restate<G extends RememberedGroup>(
  parts: ActParts<G>,
  judge: Judge<G>,
  shown: OtherChain,
  own: string,
  restated: RosterEntry[],
): Promise<OtherChain | null> {
  let other = shown;
  for (let count = 0; count < MAX_SAID; count++) {
    const states = { pinned: judge.pinned, fork: other.fork, state: other.state };
    const content = restating(states, own, judge.readmitted(other));
    // One change is required even without a difference: the others look for it.
    if (Object.keys(content).length === 1 && judge.isRestated(other)) break;
    const entry = nextEntry(other.state, parts.signer(), content, parts.now());
    const { state, accepted, end } = await foldProven(parts, other.state, [entry]);
    if (end)
      throw new Failure('roster_act_refused', { reason: end.end === 'refused' ? end.reason : end.end });
    if (!(await isPosted(parts, shown.state.groupId, entry))) return null;
    restated.push(entry);
    other = { ...other, state, accepted: withoutOldWhole([...other.accepted, ...accepted]) };
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
    if (isOutdatedList(error)) await renewSigner();
    else if (error.code !== 'roster_conflict') throw error;
    return false;
  }
}

/** Conditions for replacing the pinned chain. */
class Judge<G extends RememberedGroup> {
  readonly pinned: RosterState;
  readonly #lists: ActParts<G>['lists'];
  /** People who left or were removed by the lost entries. */
  readonly #gone: readonly string[];

  constructor({ lists, memory }: ActParts<G>, { groupId, state }: G, fork: RosterState) {
    this.pinned = state;
    this.#lists = lists;
    const left = memory.after(groupId, fork.epoch).flatMap(departuresOf);
    const gone = new Set(left.map(({ address }) => address));
    this.#gone = [...gone].filter((address) => !isMember(state, address));
  }

  /** Reports whether someone has the right to change the group in both chains. */
  mayChange(state: RosterState, address: string): boolean {
    return isCreatorOrAdmin(this.pinned, address) && isCreatorOrAdmin(state, address);
  }

  /** Reports whether someone with rights in both chains has changed the group in the other one. */
  isRestated({ fork, state, accepted }: OtherChain): boolean {
    return accepted.some(
      ({ past: { body, deviceId } }) =>
        body.epoch > fork.epoch && body.kind === 'change' && this.#speaks(state, body.by, deviceId),
    );
  }

  /** Members of the other chain who were removed by the lost entries, and not invited again. */
  readmitted({ fork, state, accepted }: OtherChain): string[] {
    const isInvited = (past: PastEntry | undefined) => {
      const ticket = past?.body.ticket;
      return ticket !== undefined && this.#speaks(state, ticket.by, ticket.deviceId);
    };
    return this.#gone.filter((address) => {
      const since = personOf(state, address)?.since ?? null;
      return since !== null && !(since > fork.epoch && isInvited(accepted[since - 1]?.past));
    });
  }

  /**
   * Reports whether no removed member is back, and someone with rights has changed the group in it and so restated
   * the lost entries.
   */
  isConfirmed(other: OtherChain): boolean {
    const { creator, admins } = this.pinned;
    const isOwned = creator !== null || admins.length > 0;
    return this.readmitted(other).length === 0 && (!isOwned || this.isRestated(other));
  }

  #speaks(state: RosterState, address: string, deviceId: string): boolean {
    return this.mayChange(state, address) && !this.#lists.isDropped(address, deviceId);
  }
}
