/**
 * A group's chain as it is remembered, for those who ask what was before (src/protocol/roster/messages.ts).
 */
import type { Departure, EndedBot } from '../../protocol/roster/history.ts';
import type { FoldedChain } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isMember, personOf } from '../../protocol/roster/state.ts';
import type { ChainHistories } from './chain-history.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';

export class RememberedChain<G extends RememberedGroup> implements FoldedChain {
  readonly state: RememberedGroup['state'];
  readonly #memory: GroupMemory<G>;
  readonly #histories: ChainHistories;

  constructor(memory: GroupMemory<G>, histories: ChainHistories, group: G) {
    this.#memory = memory;
    this.#histories = histories;
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
    // After the newest entry it is what it is now: nothing has to be looked back for.
    if (epoch >= this.state.epoch) return isMember(this.state, address);
    return this.#histories.of(this.state).wasMember(address, epoch);
  }

  departuresAfter(epoch: number): Iterable<Departure> {
    return epoch >= this.state.epoch ? [] : this.#histories.of(this.state).departuresAfter(epoch);
  }

  botsEndedAfter(epoch: number): Iterable<EndedBot> {
    return epoch >= this.state.epoch ? [] : this.#histories.of(this.state).botsEndedAfter(epoch);
  }
}
