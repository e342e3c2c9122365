/**
 * Groups as the store keeps them, and what is asked of it about them.
 */
import type { JoinMode } from '../../protocol/roster/forms.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type {
  AcceptOutcome,
  AccountKey,
  CredentialRecord,
  EnvelopesToAccept,
  EnvelopeToAccept,
  GroupKey,
  HandleEntry,
  PublishedDevices,
  QueueKey,
} from './records.ts';

export interface GroupRecord {
  key: GroupKey;
  id: string;
  name: string;
  description: string;
  /** SHA-256 of what the relay was told of the password; null if nothing. */
  told: Uint8Array | null;
  join: JoinMode;
  verified: boolean;
  /** Whether the directory shows it. */
  listed: boolean;
  memberCount: number;
  /** Null once it left. */
  creator: { account: AccountKey; address: string } | null;
  createdAt: number;
  /** The last entry of its chain. */
  roster: RosterReference;
}

export interface GroupQuery {
  /** Who asks. */
  by: AccountKey;
  /** Null: all of them. */
  text: string | null;
  /** Only groups of this account. */
  memberAccount: AccountKey | null;
  limit: number;
  /** What the page before gave as `next`. */
  after: string | null;
}

export interface GroupMember {
  address: string;
  devices: PublishedDevices | null;
  /** The public handle. */
  profile: HandleEntry | null;
}

/**
 * `forbidden`: the account is no longer the creator and a member. `full`: as many of its tokens work as may.
 * `session_ended`: of the session that asked.
 */
export type TokenOutcome = 'minted' | 'forbidden' | 'full' | 'session_ended';

export interface NewGroupToken {
  id: string;
  digest: Uint8Array;
  /** Id of the session that makes it: it ends with the device of that session. */
  session: string;
  name: string;
  prefix: string;
  createdAt: number;
}

/** A post: every copy names the seal key that it is for. It is the member's who calls, or the creator's behind a token. */
export interface GroupPost extends EnvelopesToAccept {
  envelopes: (EnvelopeToAccept & { recipientDeviceKey: string })[];
  /** For whom there were copies that are not to be stored now. Their devices are not missing. */
  heldBack: { to: string; recipientDeviceKey: string }[];
  group: { key: GroupKey; id: string };
  /** The group token that posts; null for a member. */
  bot: PostingBot | null;
}

/** A group token as recipients are told of it. */
export interface PostingBot {
  id: string;
  name: string;
}

export type GroupPostOutcome =
  /** The group is gone, or who posts is no member of it. */
  | { status: 'sender_not_a_member' }
  /** The copy with this index cannot be for whom it says. Nothing was stored. */
  | { status: 'refused'; index: number; reason: 'not_a_member' | 'unknown_device' }
  | {
      status: 'stored';
      /** In the order of the copies. `stale`: for a key that was current once. */
      outcomes: (AcceptOutcome | { status: 'stale' })[];
      /** Queues of the devices for which there was a copy. */
      served: QueueKey[];
      /** Queues that got something. */
      queues: QueueKey[];
    };

/** The part of the store that keeps groups. */
export interface GroupStore {
  findGroup(id: string): Promise<GroupRecord | null>;
  /**
   * By name; where a text of three characters or more is searched, oldest first. A page may come short of its limit,
   * or empty, with more to come: so many groups are looked at in one call, and no more.
   */
  searchGroups(query: GroupQuery): Promise<{ groups: GroupRecord[]; next: string | null }>;
  isMember(group: GroupKey, account: AccountKey): Promise<boolean>;
  /** Whether the chain names an account: as a member, or as one that was a member. */
  isInChain(group: GroupKey, account: AccountKey): Promise<boolean>;
  /** Lets an account read a chain until then, unless it leaves or is removed before. */
  admitToGroup(group: GroupKey, account: AccountKey, until: number): Promise<void>;
  isAdmitted(group: GroupKey, account: AccountKey, now: number): Promise<boolean>;
  /**
   * A group with its members and their keys in force at `now`, all of one moment: as JSON in UTF-8 of what
   * src/relay/store/views/group-view.ts makes of it; null if it is gone. For many members, it is made where it holds up
   * nobody.
   * @param by who asks: each account has its turn
   * @throws ProblemError rate_limited, unavailable if too many wait
   */
  groupAsJson(group: GroupKey, now: number, by: AccountKey): Promise<Uint8Array | null>;
  /**
   * The seal keys in force at `now` of members’ devices for which a post had no copy: `{"missing":[…]}`, as JSON in UTF-8.
   * For many members, it is made where it holds up nobody.
   * @param served the queues of devices for which it had one
   * @param by who asks for it
   */
  missingAsJson(
    group: GroupKey,
    served: readonly QueueKey[],
    now: number,
    by: AccountKey,
  ): Promise<Uint8Array>;

  /** `most` tokens may work for the groups of an account together. */
  createGroupToken(
    group: GroupKey,
    account: AccountKey,
    token: NewGroupToken,
    most: number,
  ): Promise<TokenOutcome>;
  /** Newest first, some that were revoked too. */
  listGroupTokens(group: GroupKey): Promise<CredentialRecord[]>;
  /** False if the group has no such token. */
  revokeGroupToken(group: GroupKey, id: string, now: number): Promise<boolean>;

  /** All copies in one transaction. */
  acceptGroupPost(post: GroupPost): Promise<GroupPostOutcome>;
}
