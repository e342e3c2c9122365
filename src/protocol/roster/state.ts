/** Result of folding a chain. A state is plain JSON, so it can be stored and folded on. */
import type { JoinMode, RosterBot, RosterLink } from './forms.ts';

/** Record of a current or former member. There are never more of them than entries. */
export interface RosterPerson {
  /** The highest number of its device list in the chain: in its entries and in its tickets. */
  readonly list: number;
  /** Epoch of the entry that made it a member; null if it is none. */
  readonly since: number | null;
  /** `issued` of its last joins, in milliseconds: those within 24 hours of the last, at most five. */
  readonly joins: readonly number[];
  /** `issued` of the entry with which it last left or was removed, in milliseconds. */
  readonly departed: number | null;
  /** True if that was a removal, after which a ticket is required. */
  readonly removed: boolean;
  /** Epoch of the last entry that it signed. */
  readonly signed: number;
}

export interface RosterState {
  readonly groupId: string;
  /** Epoch of the last entry; 0 before the first. */
  readonly epoch: number;
  /** Hash of the last entry, in base64url; null before the first. */
  readonly hash: string | null;
  /** `issued` of the last entry, in milliseconds since 1970. */
  readonly issued: number;
  readonly name: string;
  readonly description: string;
  /** Null after the creator left; no one can replace them. */
  readonly creator: string | null;
  readonly admins: readonly string[];
  readonly join: JoinMode;
  /** Ed25519 key that proves the password, in base64url. */
  readonly joinKey: string | null;
  readonly bots: readonly RosterBot[];
  readonly links: readonly RosterLink[];
  /** Seconds; 0 for never. */
  readonly timer: number;
  /** True if unsigned messages with a group token are allowed. */
  readonly unsignedBots: boolean;
  readonly memberCount: number;
  readonly people: Readonly<Record<string, RosterPerson>>;
  /** Time of the last withdrawal of an address's tickets, in milliseconds. */
  readonly uninvited: Readonly<Record<string, number>>;
  /** Tickets issued no later than this are void, in milliseconds. Rises when `uninvited` is full. */
  readonly ticketsAfter: number;
}

/** The state before the first entry of a group. */
export function emptyRoster(groupId: string): RosterState {
  return {
    groupId,
    epoch: 0,
    hash: null,
    issued: 0,
    name: '',
    description: '',
    creator: null,
    admins: [],
    join: 'invite',
    joinKey: null,
    bots: [],
    links: [],
    timer: 0,
    unsignedBots: false,
    memberCount: 0,
    people: {},
    uninvited: {},
    ticketsAfter: -1,
  };
}

/** Record of a current or former member; undefined for others. */
export function personOf(state: Pick<RosterState, 'people'>, address: string): RosterPerson | undefined {
  return Object.hasOwn(state.people, address) ? state.people[address] : undefined;
}

/** Reports whether an address is a member now. */
export function isMember(state: Pick<RosterState, 'people'>, address: string): boolean {
  return (personOf(state, address)?.since ?? null) !== null;
}

/** Reports whether an address may change the group and sign tickets. */
export function isCreatorOrAdmin(state: Pick<RosterState, 'creator' | 'admins'>, address: string): boolean {
  return state.creator === address || state.admins.includes(address);
}

/** The members, in ascending order. */
export function membersOf(state: Pick<RosterState, 'people'>): string[] {
  return Object.keys(state.people)
    .filter((address) => isMember(state, address))
    .sort();
}
