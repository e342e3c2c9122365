import type { Bot } from './bots.ts';
import type { EntryName } from './forms.ts';
import type { BodyHead, Entry, KnownBody, Link } from './roster-entry.ts';

/** A time as member, by the epochs of the entries at its ends. */
export interface Span {
  from: number;
  until: number | null;
  /** `issued` of the entry that ended it, in milliseconds. */
  endedAt: number | null;
}

/** A bot whose key was removed. */
export interface FormerBot extends Bot {
  epoch: number;
  issued: number;
  by: string;
}

export interface FoldedEntry extends EntryName {
  entry: Entry;
  head: BodyHead;
  known: KnownBody;
}

/** State of a group after its last applied entry (section 11, 'Rosters'). */
export interface GroupState {
  readonly groupId: string;
  readonly entries: FoldedEntry[];
  name: string;
  description: string;
  join: 'open' | 'password' | 'invite';
  joinKey: string | null;
  creator: string | null;
  admins: string[];
  bots: Bot[];
  formerBots: FormerBot[];
  links: Link[];
  timer: number;
  unsignedBots: boolean;
  /** All who are or were members. The last span of a member has no end. */
  readonly spans: Map<string, Span[]>;
  memberCount: number;
  /** The highest list that entries and tickets name, by address. */
  readonly highestList: Map<string, number>;
  /** Times of the joins of an address in the last day, in milliseconds. */
  readonly joins: Map<string, number[]>;
  /** Time of the last departure or removal of an address. */
  readonly gone: Map<string, number>;
  /** People who were removed and have not joined again. */
  readonly removed: Set<string>;
  /** Time of the last withdrawal of an address's tickets. */
  readonly uninvited: Map<string, number>;
  /** Tickets issued up to this time are void, for any address. */
  ticketFloor: number;
  /** Entries by which someone was removed. */
  readonly removals: { epoch: number; issued: number }[];
}

export const MEMBERS_MOST = 5_000;
export const ENTRIES_MOST = 50_000;
export const JOINS_BY_TICKET_ONLY = 40_000;
const UNINVITED_MOST = 5_000;
export const TEN_MINUTES = 10 * 60_000;

/** A group before its first folded entry. */
export const emptyGroup = (groupId: string): GroupState => ({
  groupId,
  entries: [],
  name: '',
  description: '',
  join: 'invite',
  joinKey: null,
  creator: null,
  admins: [],
  bots: [],
  formerBots: [],
  links: [],
  timer: 0,
  unsignedBots: false,
  spans: new Map(),
  memberCount: 0,
  highestList: new Map(),
  joins: new Map(),
  gone: new Map(),
  removed: new Set(),
  uninvited: new Map(),
  ticketFloor: -1,
  removals: [],
});

export const lastEntry = (state: GroupState): FoldedEntry | null => state.entries.at(-1) ?? null;

export const isMember = (state: GroupState, address: string): boolean =>
  state.spans.get(address)?.at(-1)?.until === null;

export const membersOf = (state: GroupState): string[] =>
  [...state.spans.keys()].filter((address) => isMember(state, address));

/** Reports whether an address was a member after the entry with that epoch. */
export const wasMember = (state: GroupState, address: string, epoch: number): boolean =>
  (state.spans.get(address) ?? []).some(
    ({ from, until }) => from <= epoch && (until === null || epoch < until),
  );

export const isOwner = (state: GroupState, address: string): boolean =>
  state.creator === address || state.admins.includes(address);

/** Adds a member after the entry with that epoch. */
export function addMember(state: GroupState, address: string, epoch: number): void {
  const spans = state.spans.get(address) ?? [];
  state.spans.set(address, [...spans, { from: epoch, until: null, endedAt: null }]);
  state.memberCount++;
  state.removed.delete(address);
}

/** Ends a membership by an entry. Former members are not admins; when the creator leaves, the group has none. */
export function endMember(state: GroupState, address: string, head: BodyHead, issued: number): void {
  const span = state.spans.get(address)?.at(-1);
  if (span === undefined) return;
  span.until = head.epoch;
  span.endedAt = issued;
  state.memberCount--;
  state.gone.set(address, issued);
  state.admins = state.admins.filter((admin) => admin !== address);
  if (state.creator === address) setCreator(state, null, head, issued);
}

/** Bots and links end with the membership of the creator, who is responsible for them. */
export function setCreator(state: GroupState, creator: string | null, head: BodyHead, issued: number): void {
  setBots(state, [], head, issued);
  state.links = [];
  state.unsignedBots = false;
  state.creator = creator;
  state.admins = state.admins.filter((admin) => admin !== creator);
}

export function setBots(state: GroupState, bots: Bot[], head: BodyHead, issued: number): void {
  const out = state.bots.filter(({ key }) => !bots.some((bot) => bot.key === key));
  state.formerBots.push(...out.map((bot) => ({ ...bot, epoch: head.epoch, issued, by: head.by })));
  state.bots = bots;
}

/**
 * Withdraws tickets. If there are too many addresses, those with the earliest time are replaced by one time
 * for all.
 */
export function uninvite(state: GroupState, addresses: readonly string[], issued: number): void {
  for (const address of addresses) state.uninvited.set(address, issued);
  while (state.uninvited.size > UNINVITED_MOST) {
    const earliest = Math.min(...state.uninvited.values());
    for (const [address, at] of state.uninvited) if (at === earliest) state.uninvited.delete(address);
    state.ticketFloor = Math.max(state.ticketFloor, earliest);
  }
}

/** Stores the number of a list that an entry or a ticket names. */
export function nameList(state: GroupState, address: string, list: number): void {
  state.highestList.set(address, Math.max(list, state.highestList.get(address) ?? 0));
}
