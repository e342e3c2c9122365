/** Chains of groups as stored, and the store's queries about them. */
import type { DeviceList } from '../../protocol/device-list.ts';
import type { Quotas } from '../../protocol/limits.ts';
import type { FoldedEntry } from '../../protocol/roster/fold.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterPart } from '../../protocol/roster/part.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import type { GroupRecord } from './group-records.ts';
import type { AccountKey, GroupKey } from './records.ts';

/** The store's data for judging an entry, read at one moment. */
export interface RosterBasis {
  /** The folded state of the chain, with only the requested parts of `people` and `uninvited`. */
  state: RosterState;
  /** The hash of the entry with the requested epoch; null if the chain is shorter. */
  hash: string | null;
}

export interface StoredRoster extends RosterBasis {
  group: GroupRecord;
}

/** The device lists for judging an entry. */
export interface StoredLists {
  /** The requested lists that are published, by {@link listName}. */
  lists: ReadonlyMap<string, DeviceList>;
  /** Number of the newest list of the requested address; 0 if there is none. */
  newest: number;
}

/** The name of a device list in {@link StoredLists}. */
export function listName(address: string, sequence: number): string {
  return `${sequence} ${address}`;
}

/** A valid entry, as posted and as folded. */
export interface VerifiedEntry {
  entry: RosterEntry;
  folded: FoldedEntry;
}

/** A new group: entries that fold to this complete state. */
export interface NewRoster {
  creator: AccountKey;
  entries: readonly VerifiedEntry[];
  state: RosterState;
  /** SHA-256 of the `passwordProof` that the relay received; null if there is none. */
  passwordHash: Uint8Array | null;
  listed: boolean;
  now: number;
}

/** The next entry of a chain, with the part of the state that it can change, before and after. */
export interface RosterStep extends VerifiedEntry {
  group: GroupKey;
  before: RosterState;
  after: RosterState;
  /** Undefined for no change. */
  passwordHash: Uint8Array | null | undefined;
  now: number;
}

/**
 * `moved`: the chain, or the signer's device list, has changed since the entry was judged. The name of a quota: it
 * is reached.
 */
export type FoundOutcome = 'made' | 'exists' | 'moved' | 'groups';

/**
 * `ended`: the last member left, and the group was deleted. `signer_gone`: the account of the entry's signer was
 * deleted.
 */
export type AppendOutcome =
  | {
      status: 'appended';
      ended: boolean;
      /** Ids of the revoked group tokens. */
      revoked: string[];
    }
  | { status: 'moved' | 'signer_gone' }
  | { status: keyof MembershipQuotas };

/** The limits of groups per account and of members per group. */
export type MembershipQuotas = Pick<Quotas, 'groups' | 'groupMembers'>;

export interface EntriesPage {
  entries: RosterEntry[];
  more: boolean;
}

/** The part of the store for chains. */
export interface RosterStore {
  /** @param epoch of the entry whose hash is wanted. @returns null if there is no such group */
  readRoster(groupId: string, part: RosterPart, epoch: number): Promise<StoredRoster | null>;
  /** The requested device lists; for signers of tickets also the highest one that the state names. */
  readListsOf(part: RosterPart, state: RosterState, signer: string): Promise<StoredLists>;
  /** Entries after an epoch, oldest first: at most `limit` and about `bytes` bytes of bodies, but at least one. */
  readEntries(group: GroupKey, after: number, limit: number, bytes: number): Promise<EntriesPage>;
  createRoster(roster: NewRoster, most: MembershipQuotas): Promise<FoundOutcome>;
  appendEntry(step: RosterStep, most: MembershipQuotas): Promise<AppendOutcome>;
  setListed(group: GroupKey, listed: boolean, by: AccountKey, now: number): Promise<void>;
}
