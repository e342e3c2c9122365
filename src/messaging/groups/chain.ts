/**
 * A group's chain as it is remembered, for those who ask what was before (src/protocol/roster/messages.ts).
 */
import {
  arrivalOf,
  type Departure,
  departuresOf,
  type EndedBot,
  endedBotsOf,
  type PastEntry,
} from '../../protocol/roster/history.ts';
import type { FoldedChain } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isMember, personOf } from '../../protocol/roster/state.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';

export class RememberedChain<G extends RememberedGroup> implements FoldedChain {
  readonly state: RememberedGroup['state'];
  readonly #memory: GroupMemory<G>;

  constructor(memory: GroupMemory<G>, group: G) {
    this.#memory = memory;
    this.state = group.state;
  }

  /** Hash of the entry with an epoch; empty where there is none. */
  hashAt(epoch: number): string {
    return this.#memory.hashAt(this.state.groupId, epoch) ?? '';
  }

  /** Whether some entry has a hash, the newest ones looked at first. */
  has(hash: string): boolean {
    if (this.state.hash === hash) return true;
    for (const entry of this.#memory.newestFirst(this.state.groupId)) if (entry.hash === hash) return true;
    return false;
  }

  /** Whether someone who names an entry knows this chain, and not all of it. */
  isBefore({ epoch, hash }: RosterReference): boolean {
    return epoch < this.state.epoch && this.hashAt(epoch) === hash;
  }

  wasMember(address: string, epoch: number): boolean {
    const since = personOf(this.state, address)?.since ?? null;
    if (since !== null && since <= epoch) return true;
    // The first that happened to the address afterwards tells what it was before.
    const next = this.#after(epoch).find((entry) => concerns(entry, address));
    return next ? arrivalOf(next) !== address : isMember(this.state, address);
  }

  *departuresAfter(epoch: number): Generator<Departure> {
    for (const entry of this.#after(epoch)) yield* departuresOf(entry);
  }

  *botsEndedAfter(epoch: number): Generator<EndedBot> {
    for (const entry of this.#after(epoch)) yield* endedBotsOf(entry);
  }

  #after(epoch: number): readonly PastEntry[] {
    return epoch >= this.state.epoch ? [] : this.#memory.after(this.state.groupId, epoch);
  }
}

/** Whether an entry made an address a member, or none. */
function concerns(entry: PastEntry, address: string): boolean {
  return arrivalOf(entry) === address || departuresOf(entry).some((each) => each.address === address);
}
