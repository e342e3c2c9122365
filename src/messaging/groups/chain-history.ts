/**
 * Who came to a group and who went, by address and in order: a message that names an old entry of a long chain is judged
 * without reading what was kept of all entries since.
 */

import { decodeTime } from '../../protocol/encoding.ts';
import { RecentMap } from '../../protocol/recent-map.ts';
import {
  arrivalOf,
  type Departure,
  departuresOf,
  type EndedBot,
  endedBotsOf,
  type PastEntry,
} from '../../protocol/roster/history.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';

/** Groups whose history is kept at a time. That of 40,000 entries takes about 10 MB. */
const MOST_HISTORIES = 8;

/** When an address became a member, or ceased to be one. */
interface Turn {
  readonly epoch: number;
  readonly isMember: boolean;
}

/** When an address got the rights of a creator or admin, or lost them. */
interface RightsTurn {
  readonly epoch: number;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
  readonly manages: boolean;
}

export class ChainHistory {
  #epoch = 0;
  #hash: string | null = null;
  /** Ascending, of each address. */
  readonly #turns = new Map<string, Turn[]>();
  /** Ascending. */
  /** Ascending, of each address that was creator or admin. */
  readonly #rights = new Map<string, RightsTurn[]>();
  readonly #departures: Departure[] = [];
  readonly #endedBots: (EndedBot & { readonly epoch: number })[] = [];

  /** Of the last entry that was added; 0 before the first. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Of the last entry that was added, in base64url; null before the first. */
  get hash(): string | null {
    return this.#hash;
  }

  /** Adds the next entry. */
  add(entry: PastEntry): void {
    const { epoch } = entry.body;
    const arrival = arrivalOf(entry);
    if (arrival !== null) this.#turn(arrival, { epoch, isMember: true });
    const at = decodeTime(entry.body.issued);
    if (entry.body.kind === 'create') this.#rights.set(entry.body.by, [{ epoch, at, manages: true }]);
    for (const { address, role } of entry.roles ?? []) {
      const turns = this.#rights.get(address) ?? [];
      this.#rights.set(address, [...turns, { epoch, at, manages: role !== 'none' }]);
    }
    for (const departure of departuresOf(entry)) {
      this.#turn(departure.address, { epoch, isMember: false });
      this.#departures.push(departure);
    }
    for (const ended of endedBotsOf(entry)) this.#endedBots.push({ ...ended, epoch });
    this.#epoch = epoch;
    this.#hash = entry.hash;
  }

  /** Whether an address was a member after the entry with an epoch. */
  wasMember(address: string, epoch: number): boolean {
    const turns = this.#turns.get(address) ?? [];
    return turns[firstAfter(turns, epoch) - 1]?.isMember ?? false;
  }

  /**
   * Whether an address had the rights of a creator or admin after the entry with an epoch.
   * @param window how long after they were lost they still count, in milliseconds
   */
  managed(address: string, epoch: number, receivedAt: number, window: number): boolean {
    const turns = this.#rights.get(address) ?? [];
    const next = firstAfter(turns, epoch);
    const isLost = turns.slice(next).some(({ at, manages }) => !manages && receivedAt >= at + window);
    return (turns[next - 1]?.manages ?? false) && !isLost;
  }

  /** Departures by entries after an epoch, in order. */
  departuresAfter(epoch: number): Iterable<Departure> {
    return this.#departures.slice(firstAfter(this.#departures, epoch));
  }

  /** Bots that ended with entries after an epoch, in order. */
  botsEndedAfter(epoch: number): Iterable<EndedBot> {
    return this.#endedBots.slice(firstAfter(this.#endedBots, epoch));
  }

  #turn(address: string, turn: Turn): void {
    const turns = this.#turns.get(address);
    if (turns) turns.push(turn);
    else this.#turns.set(address, [turn]);
  }
}

/** The index of the first whose epoch is above another. @param ascending by epoch */
function firstAfter(ascending: readonly { readonly epoch: number }[], epoch: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle]?.epoch ?? 0) <= epoch) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The histories of the groups that were asked about last, made from what is remembered and gone on with. */
export class ChainHistories {
  readonly #memory: Pick<GroupMemory<RememberedGroup>, 'after' | 'hashAt'>;
  readonly #histories = new RecentMap<string, ChainHistory>(MOST_HISTORIES);

  constructor(memory: Pick<GroupMemory<RememberedGroup>, 'after' | 'hashAt'>) {
    this.#memory = memory;
  }

  /** The history of a group's chain, up to a state of it at least. */
  of({ groupId, epoch }: Pick<RosterState, 'groupId' | 'epoch'>): ChainHistory {
    let history = this.#histories.get(groupId);
    // What is remembered may have been replaced by another chain.
    if (!history || this.#memory.hashAt(groupId, history.epoch) !== history.hash)
      history = new ChainHistory();
    if (history.epoch < epoch)
      for (const entry of this.#memory.after(groupId, history.epoch)) history.add(entry);
    this.#histories.set(groupId, history);
    return history;
  }
}
