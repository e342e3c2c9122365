/**
 * A group's chain as it is remembered, for those who ask what was before (src/protocol/roster/messages.ts).
 */
import type { Departure, EndedBot } from '../../protocol/roster/history.ts';
import { DEPARTURE_WINDOW, type FoldedChain, type GroupMessage } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isCreatorOrAdmin, isMember, personOf } from '../../protocol/roster/state.ts';
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

  /**
   * Whether the sender of a message has the rights of a creator or admin by the entry that it names. Rights that were lost since
   * count for as long as a membership does. A message that names what is not known here has the rights of now.
   */
  manages({ sender, roster: { epoch, hash }, receivedAt }: GroupMessage): boolean {
    if (epoch >= this.state.epoch || this.hashAt(epoch) !== hash) return isCreatorOrAdmin(this.state, sender);
    return this.#histories.of(this.state).managed(sender, epoch, receivedAt, DEPARTURE_WINDOW);
  }

  departuresAfter(epoch: number): Iterable<Departure> {
    return epoch >= this.state.epoch ? [] : this.#histories.of(this.state).departuresAfter(epoch);
  }

  botsEndedAfter(epoch: number): Iterable<EndedBot> {
    return epoch >= this.state.epoch ? [] : this.#histories.of(this.state).botsEndedAfter(epoch);
  }
}
