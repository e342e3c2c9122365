/**
 * Groups as the store keeps them, and what is asked of it about them.
 */
import type { Quotas } from '../../protocol/limits.ts';
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

export interface NewGroup {
  id: string;
  name: string;
  description: string;
  /** What {@link GroupRecord.password} is. */
  password: string | null;
  /** Becomes the first member. */
  creator: AccountKey;
  createdAt: number;
}

export interface GroupRecord {
  key: GroupKey;
  id: string;
  name: string;
  description: string;
  /** The slow hash that a join password is held to, with its parameters; null where anybody may join. */
  password: string | null;
  verified: boolean;
  memberCount: number;
  creator: { account: AccountKey; address: string };
  createdAt: number;
}

/** Absent: as it is. */
export interface GroupChange {
  name?: string | undefined;
  description?: string | undefined;
  password?: string | null | undefined;
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

/** How someone comes into a group: by the slow hash that their password was held to, or by an invitation. */
export type Admission = { by: 'password'; password: string | null } | { by: 'invitation' };

/** How many groups an account may be in, and how many members a group may have. */
export type MembershipQuotas = Pick<Quotas, 'groups' | 'groupMembers'>;

/**
 * `refused`: the group is gone, its password is no longer the one that was checked, or the invitation was withdrawn.
 * The name of a quota: it is reached.
 */
export type JoinOutcome = 'member' | 'refused' | keyof MembershipQuotas;

/**
 * `forbidden`: the account is no longer the creator and a member. `full`: as many of its tokens work as may.
 * `session_ended`: of the session that asked.
 */
export type TokenOutcome = 'minted' | 'forbidden' | 'full' | 'session_ended';

/** `unknown`: no such address, or the group is gone. `full`: as many invitations wait as may. */
export type InvitationOutcome = 'invited' | 'member' | 'unknown' | 'full';

export interface NewGroupToken {
  id: string;
  digest: Uint8Array;
  /** Id of the session that makes it: it ends with the device of that session. */
  session: string;
  name: string;
  prefix: string;
  createdAt: number;
}

/** What became of a member who left or was removed. */
export interface Departure {
  removed: boolean;
  /** Ids of the group tokens that work no longer: all of them, when the creator has left. */
  revoked: string[];
}

/** A post: every copy names the seal key that it is for. It is the member's who calls, or the creator's behind a token. */
export interface GroupPost extends EnvelopesToAccept {
  envelopes: (EnvelopeToAccept & { recipientDeviceKey: string })[];
  /** For whom there were copies that are not to be stored now. Their devices are not missing. */
  heldBack: { to: string; recipientDeviceKey: string }[];
  group: { key: GroupKey; id: string };
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
  /** False if its creator is a member of `most` groups already. */
  createGroup(group: NewGroup, most: number): Promise<boolean>;
  findGroup(id: string): Promise<GroupRecord | null>;
  /**
   * By name; where a text of three characters or more is searched, oldest first. A page may come short of its limit,
   * or empty, with more to come: so many groups are looked at in one call, and no more.
   */
  searchGroups(query: GroupQuery): Promise<{ groups: GroupRecord[]; next: string | null }>;
  changeGroup(group: GroupKey, change: GroupChange, now: number): Promise<void>;
  isMember(group: GroupKey, account: AccountKey): Promise<boolean>;
  addMember(
    group: GroupKey,
    account: AccountKey,
    admission: Admission,
    most: MembershipQuotas,
    now: number,
  ): Promise<JoinOutcome>;
  isInvited(group: GroupKey, account: AccountKey): Promise<boolean>;
  /** Lets an address join without the password, until it has joined. Again: nothing changes. `most` may wait. */
  inviteToGroup(
    group: GroupKey,
    address: string,
    by: AccountKey,
    most: number,
    now: number,
  ): Promise<InvitationOutcome>;
  withdrawInvitation(group: GroupKey, address: string, by: AccountKey, now: number): Promise<void>;
  /** Addresses, in the order of their invitations. */
  listInvitations(group: GroupKey): Promise<string[]>;
  /** The last one who leaves takes the group away. `by` is who asks for it: the member, or the creator. */
  removeMember(group: GroupKey, address: string, by: AccountKey, now: number): Promise<Departure>;
  /**
   * The members, in the order of their addresses, with their keys in force at `now`: as JSON in UTF-8 of what
   * src/relay/group-members.ts makes of them. For many, it is made where it holds up nobody.
   * @param by who asks: each account has its turn
   * @throws ProblemError rate_limited, unavailable if too many wait
   */
  membersAsJson(group: GroupKey, now: number, by: AccountKey): Promise<Uint8Array>;
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
