/** A group's chain with its stored history (src/protocol/roster/messages.ts). */
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

  /** Hash of the entry with an epoch; empty for none. */
  hashAt(epoch: number): string {
    return this.#memory.hashAt(this.state.groupId, epoch) ?? '';
  }

  /** Reports whether an entry with a hash exists, newest first. */
  has(hash: string): boolean {
    if (this.state.hash === hash) return true;
    for (const entry of this.#memory.newestFirst(this.state.groupId)) if (entry.hash === hash) return true;
    return false;
  }

  /** Reports whether a reference names an earlier entry of this chain. */
  isBefore({ epoch, hash }: RosterReference): boolean {
    return epoch < this.state.epoch && this.hashAt(epoch) === hash;
  }

  wasMember(address: string, epoch: number): boolean {
    const since = personOf(this.state, address)?.since ?? null;
    if (since !== null && since <= epoch) return true;
    // After the newest entry the current state applies: no history is needed.
    if (epoch >= this.state.epoch) return isMember(this.state, address);
    return this.#histories.of(this.state).wasMember(address, epoch);
  }

  /**
   * Reports whether the sender of a message is creator or admin at the entry that it names. Lost rights have the same
   * grace period as a membership. An unknown entry counts as the newest.
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
