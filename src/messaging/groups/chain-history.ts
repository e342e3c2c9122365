/**
 * Joins and departures of a group by address, in order. A message that names an old entry of a long chain is
 * judged without reading all later entries.
 */

import { BoundedMap } from '../../protocol/bounded-map.ts';
import { decodeTime } from '../../protocol/encoding.ts';
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

/** Number of histories in memory. One of 40,000 entries takes about 10 MB. */
const MAX_HISTORIES = 8;

/** Start or end of an address's membership. */
interface Turn {
  readonly epoch: number;
  readonly isMember: boolean;
}

/** Start or end of an address's rights as creator or admin. */
interface RightsTurn {
  readonly epoch: number;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
  readonly manages: boolean;
}

export class ChainHistory {
  #epoch = 0;
  #hash: string | null = null;
  /** By address, ascending. */
  readonly #turns = new Map<string, Turn[]>();
  /** By address that was creator or admin, ascending. */
  /** By address that was creator or admin, ascending. */
  readonly #rights = new Map<string, RightsTurn[]>();
  readonly #departures: Departure[] = [];
  readonly #endedBots: (EndedBot & { readonly epoch: number })[] = [];

  /** Epoch of the last added entry; 0 before the first. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Hash of the last added entry, in base64url; null before the first. */
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

  /** Reports whether an address was a member after the entry with an epoch. */
  wasMember(address: string, epoch: number): boolean {
    const turns = this.#turns.get(address) ?? [];
    return turns[firstAfter(turns, epoch) - 1]?.isMember ?? false;
  }

  /**
   * Reports whether an address was creator or admin after the entry with an epoch.
   * @param window grace period after the loss of the rights, in milliseconds
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

/**
 * Index of the first with an epoch above another.
 * @param ascending by epoch
 */
function firstAfter(ascending: readonly { readonly epoch: number }[], epoch: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle]?.epoch ?? 0) <= epoch) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Histories of the last used groups, built from the stored entries and extended. */
export class ChainHistories {
  readonly #memory: Pick<GroupMemory<RememberedGroup>, 'after' | 'hashAt'>;
  readonly #histories = new BoundedMap<string, ChainHistory>(MAX_HISTORIES);

  constructor(memory: Pick<GroupMemory<RememberedGroup>, 'after' | 'hashAt'>) {
    this.#memory = memory;
  }

  /** The history of a group's chain, up to a state or beyond. */
  of({ groupId, epoch }: Pick<RosterState, 'groupId' | 'epoch'>): ChainHistory {
    let history = this.#histories.get(groupId);
    // The stored chain may have been replaced by another.
    if (!history || this.#memory.hashAt(groupId, history.epoch) !== history.hash)
      history = new ChainHistory();
    if (history.epoch < epoch)
      for (const entry of this.#memory.after(groupId, history.epoch)) history.add(entry);
    this.#histories.set(groupId, history);
    return history;
  }
}
