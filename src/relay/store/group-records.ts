/** Groups as stored, and the store's queries about them. */
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
  /** SHA-256 of the `passwordProof` that the relay received; null if there is none. */
  passwordHash: Uint8Array | null;
  join: JoinMode;
  verified: boolean;
  /** True if the directory shows it. */
  listed: boolean;
  memberCount: number;
  /** Null once it has left. */
  creator: { account: AccountKey; address: string } | null;
  createdAt: number;
  /** The last entry of its chain. */
  roster: RosterReference;
}

export interface GroupQuery {
  /** The caller. */
  by: AccountKey;
  /** Null for all groups. */
  text: string | null;
  /** Only groups of this account. */
  memberAccount: AccountKey | null;
  limit: number;
  /** The `next` of the previous page. */
  after: string | null;
}

export interface GroupMember {
  address: string;
  devices: PublishedDevices | null;
  /** The public handle. */
  profile: HandleEntry | null;
}

/**
 * `forbidden`: the account is no longer the creator and a member. `full`: the limit of valid tokens is reached.
 * `session_ended`: of the calling session.
 */
export type TokenOutcome = 'created' | 'forbidden' | 'full' | 'session_ended';

export interface NewGroupToken {
  id: string;
  digest: Uint8Array;
  /** Id of the session that creates it: the token ends with the device of that session. */
  session: string;
  name: string;
  prefix: string;
  createdAt: number;
}

/** A post: every copy names its seal key. It belongs to the calling member, or to the creator behind a token. */
export interface GroupPost extends EnvelopesToAccept {
  envelopes: (EnvelopeToAccept & { recipientDeviceKey: string })[];
  /** Copies that exceed a rate limit and are not stored. Their devices do not count as missing. */
  rateLimitedCopies: { to: string; recipientDeviceKey: string }[];
  group: { key: GroupKey; id: string };
  /** The posting group token; null for a member. */
  bot: PostingBot | null;
}

/** A group token as its recipients see it. */
export interface PostingBot {
  id: string;
  name: string;
}

export type GroupPostOutcome =
  /** The group was deleted, or the sender is not a member of it. */
  | { status: 'sender_not_a_member' }
  /** The copy with this index does not match its recipient. Nothing was stored. */
  | { status: 'refused'; index: number; reason: 'not_a_member' | 'unknown_device' }
  | {
      status: 'stored';
      /** In the order of the copies. `stale`: for a former key. */
      outcomes: (AcceptOutcome | { status: 'stale' })[];
      /** Queues of the devices with a copy. */
      served: QueueKey[];
      /** Queues with a new envelope. */
      queues: QueueKey[];
    };

/** The part of the store that manages groups. */
export interface GroupStore {
  findGroup(id: string): Promise<GroupRecord | null>;
  /**
   * Ordered by name; a search for three characters or more is ordered by age, oldest first. A page may be short, or
   * empty, with more to follow: one call looks at a limited number of groups.
   */
  searchGroups(query: GroupQuery): Promise<{ groups: GroupRecord[]; next: string | null }>;
  isMember(group: GroupKey, account: AccountKey): Promise<boolean>;
  /** True if the chain names an account as a current or former member. */
  isInChain(group: GroupKey, account: AccountKey): Promise<boolean>;
  /** Allows an account to read a chain until then, unless it leaves or is removed earlier. */
  admitToGroup(group: GroupKey, account: AccountKey, until: number): Promise<void>;
  isAdmitted(group: GroupKey, account: AccountKey, now: number): Promise<boolean>;
  /**
   * A group with its members and their keys in force at `now`, read at one moment: the result of
   * src/relay/store/views/group-view.ts as JSON in UTF-8; null if the group was deleted. Large groups are read
   * where they delay no other call.
   * @param by the caller: each account has its turn
   * @throws ProblemError rate_limited, unavailable if too many wait
   */
  groupAsJson(group: GroupKey, now: number, by: AccountKey): Promise<Uint8Array | null>;
  /**
   * The seal keys in force at `now` of members’ devices without a copy in a post: `{"missing":[…]}`, as JSON in
   * UTF-8. Large groups are read where they delay no other call.
   * @param served the queues of devices with a copy
   * @param by the caller
   */
  missingAsJson(
    group: GroupKey,
    served: readonly QueueKey[],
    now: number,
    by: AccountKey,
  ): Promise<Uint8Array>;

  /** `most` is the limit of valid tokens for all groups of an account together. */
  createGroupToken(
    group: GroupKey,
    account: AccountKey,
    token: NewGroupToken,
    most: number,
  ): Promise<TokenOutcome>;
  /** Newest first, including some revoked ones. */
  listGroupTokens(group: GroupKey): Promise<CredentialRecord[]>;
  /** False if the group has no such token. */
  revokeGroupToken(group: GroupKey, id: string, now: number): Promise<boolean>;

  /** Stores all copies in one transaction. */
  acceptGroupPost(post: GroupPost): Promise<GroupPostOutcome>;
}
