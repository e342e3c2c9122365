/**
 * Chains of groups as the store keeps them, and what is asked of it about them.
 */
import type { DeviceList } from '../../protocol/device-list.ts';
import type { Quotas } from '../../protocol/limits.ts';
import type { FoldedEntry } from '../../protocol/roster/fold.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterPart } from '../../protocol/roster/part.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import type { GroupRecord } from './group-records.ts';
import type { AccountKey, GroupKey } from './records.ts';

/** What the store has for judging an entry, all of one moment. */
export interface RosterBasis {
  /** What the chain folds to. Of `people` and `uninvited` it has the part that was asked for. */
  state: RosterState;
  /** Of the entry with the epoch that was asked for; null if the chain is shorter. */
  hash: string | null;
}

export interface RosterHeld extends RosterBasis {
  group: GroupRecord;
}

/** The device lists for judging an entry. */
export interface ListsHeld {
  /** Those that were asked for and are published, by {@link listName}. */
  lists: ReadonlyMap<string, DeviceList>;
  /** Number of the newest list of the address that was asked for; 0 if there is none. */
  newest: number;
}

/** The name of a device list in {@link ListsHeld}. */
export function listName(address: string, sequence: number): string {
  return `${sequence} ${address}`;
}

/** An entry that holds, as it was posted and as it was folded. */
export interface JudgedEntry {
  entry: RosterEntry;
  folded: FoldedEntry;
}

/** A group that begins: entries that fold to this state, which is whole. */
export interface NewRoster {
  creator: AccountKey;
  entries: readonly JudgedEntry[];
  state: RosterState;
  /** SHA-256 of what the relay was told of the password; null if nothing. */
  told: Uint8Array | null;
  listed: boolean;
  now: number;
}

/** An entry that follows a chain, with the part of the state that it can touch, before and after. */
export interface RosterStep extends JudgedEntry {
  group: GroupKey;
  before: RosterState;
  after: RosterState;
  /** Undefined: as it was. */
  told: Uint8Array | null | undefined;
  now: number;
}

/**
 * `moved`: the chain, or the signer's device list, is no longer what the entry was judged by. The name of a quota: it is
 * reached.
 */
export type FoundOutcome = 'made' | 'exists' | 'moved' | 'groups';

/** `ended`: the last member left, and the group is gone. `signer_gone`: the account of the entry's signer was deleted. */
export type AppendOutcome =
  | {
      status: 'appended';
      ended: boolean;
      /** Ids of group tokens that work no longer. */
      revoked: string[];
    }
  | { status: 'moved' | 'signer_gone' }
  | { status: keyof MembershipQuotas };

/** How many groups an account may be in, and how many members a group may have. */
export type MembershipQuotas = Pick<Quotas, 'groups' | 'groupMembers'>;

export interface EntriesPage {
  entries: RosterEntry[];
  more: boolean;
}

/** The part of the store that keeps chains. */
export interface RosterStore {
  /** @param epoch of the entry whose hash is wanted. @returns null if there is no such group */
  readRoster(groupId: string, part: RosterPart, epoch: number): Promise<RosterHeld | null>;
  /** The device lists of a part; for signers of tickets also the highest that the state names. */
  readListsOf(part: RosterPart, state: RosterState, signer: string): Promise<ListsHeld>;
  /** Entries after an epoch, oldest first: at most `limit` and about `bytes` bytes of bodies, but at least one. */
  readEntries(group: GroupKey, after: number, limit: number, bytes: number): Promise<EntriesPage>;
  createRoster(roster: NewRoster, most: MembershipQuotas): Promise<FoundOutcome>;
  appendEntry(step: RosterStep, most: MembershipQuotas): Promise<AppendOutcome>;
  setListed(group: GroupKey, listed: boolean, by: AccountKey, now: number): Promise<void>;
}
