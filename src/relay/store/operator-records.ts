/** The operator's queries and changes, and the audit log. */
import type { OperatorFailureData } from '../operator/failure.ts';
import type { GroupKey } from './records.ts';

/** The kinds of audited actions. The part before the point is the subject's type; `target` is its name. */
export type AuditAction =
  | 'developer_access.unlocked'
  | 'developer_access.locked'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'handle.claimed'
  | 'handle.verified'
  | 'handle.unverified'
  | 'devices.published'
  | 'group.created'
  | 'group.changed'
  | 'group.joined'
  | 'group.left'
  | 'group.member_removed'
  | 'group.removed'
  | 'group.listed'
  | 'group.unlisted'
  | 'group.verified'
  | 'group.unverified'
  | 'group_token.created'
  | 'group_token.revoked'
  | 'account.deletion_requested'
  | 'account.deletion_cancelled'
  | 'account.deleted'
  | 'account.returned'
  | 'invitation.created'
  | 'invitation.spent'
  | 'invitation.revoked'
  | 'address.admitted'
  | 'address.unadmitted'
  | 'report.made'
  | 'report.resolved'
  | 'account.suspended'
  | 'account.unsuspended'
  | 'backup.written';

export interface AuditRow {
  /** 1, 2, 3, … without a gap; the oldest rows are deleted. */
  sequence: number;
  at: number;
  /** The address of the actor, or `operator`. */
  actor: string;
  action: AuditAction;
  target: string;
  /** Counts, ids and names of fields: never content, a secret or a network address. */
  detail: Record<string, unknown>;
  /** In hexadecimal. */
  hash: string;
}

export interface AuditVerdict {
  rows: number;
  /** Earlier rows, deleted by expiry. */
  expired: number;
  /** The hash of the last row, which covers all rows before it. Null while there is none. */
  head: string | null;
  /** The first altered row. Null if there is none. */
  problem: OperatorFailureData | null;
}

export interface RelayStats {
  accounts: number;
  suspendedAccounts: number;
  devices: number;
  groups: number;
  /** Envelopes waiting in queues, counted once per queue. */
  waitingEnvelopes: number;
  waitingBytes: number;
  /** Arrival time of the oldest waiting envelope. */
  oldestWaiting: number | null;
}

/** Figures about the store that cost nothing to read. */
export interface StoreMeasures {
  /** Transactions committed since the start. */
  commits: number;
  /** Bytes waiting to be written. */
  queuedBytes: number;
  /** The size of the database with its write-ahead log. */
  databaseBytes: number;
}

export interface OperatorHandle {
  handle: string;
  address: string;
  displayName: string | null;
  public: boolean;
  verified: boolean;
  suspended: boolean;
  createdAt: number;
}

export interface OperatorGroup {
  key: GroupKey;
  id: string;
  name: string;
  /** Null once it has left. */
  creator: string | null;
  members: number;
  tokens: number;
  verified: boolean;
  createdAt: number;
}

/** An invitation code as shown to the operator, never the code itself. */
export interface OperatorInvitation {
  id: string;
  /** The address of the member who made it; null for the operator. */
  maker: string | null;
  uses: number;
  usesLeft: number;
  createdAt: number;
  expiresAt: number;
}

/** An address that may open an account without a code. */
export interface AdmittedAddress {
  address: string;
  admittedAt: number;
  /** True if it has opened one. */
  hasAccount: boolean;
}

/** The kinds of usage reported to the operator. */
export const USAGE_MEASURES = ['envelopes', 'bytes', 'blobs', 'devices', 'groups'] as const;
export type UsageMeasure = (typeof USAGE_MEASURES)[number];

/** An account's usage of the relay. */
export interface AccountUsage {
  address: string;
  handle: string | null;
  suspended: boolean;
  createdAt: number;
  /** Mail waiting for its devices, in envelopes and in bytes of ciphertext. */
  envelopes: number;
  bytes: number;
  /** Size of its files, in bytes. */
  blobs: number;
  devices: number;
  /** Groups that it is a member of. */
  groups: number;
}

/** The operator's name for an account. */
export type AccountName = { address: string } | { handle: string };

/** A completed change, with the ids of the credentials that it revoked. */
export interface OperatorChange {
  address: string;
  credentials: string[];
}

/** The part of the store that serves the operator. Its reads may be long, and delay no other call. */
export interface OperatorStore {
  measure(): StoreMeasures;
  readStats(): Promise<RelayStats>;
  /** The accounts with the highest usage of one kind, highest first. */
  listUsage(by: UsageMeasure, limit: number): Promise<AccountUsage[]>;
  /** Handles, public or not, that contain the text, in their order. */
  listHandles(text: string, limit: number): Promise<OperatorHandle[]>;
  /** Groups whose name contains the text or whose id equals it; newest first. */
  listGroups(text: string, limit: number): Promise<OperatorGroup[]>;
  /** Unused invitation codes, newest first. */
  listAccountInvitations(now: number, limit: number): Promise<OperatorInvitation[]>;
  /** False if there is no such invitation. */
  revokeAccountInvitation(id: string, now: number): Promise<boolean>;
  /** Addresses that may open an account without a code, newest first. */
  listAdmitted(limit: number): Promise<AdmittedAddress[]>;
  /** Allows an address to open an account without a code, or withdraws that. False if nothing changed. */
  setAdmitted(address: string, admitted: boolean, now: number): Promise<boolean>;
  /** The newest rows, the oldest of them first. */
  readAudit(limit: number): Promise<AuditRow[]>;
  verifyAudit(): Promise<AuditVerdict>;
  /**
   * Writes a consistent copy of all data committed before its start. Writes continue meanwhile.
   * @returns the size of the copy in bytes
   * @throws OperatorFailure backup_failed if the file exists already or cannot be written
   */
  backUp(file: string, now: number): Promise<number>;

  /** False if the handle does not exist. */
  setHandleVerified(handle: string, verified: boolean, now: number): Promise<boolean>;
  /** False if there is no such group. */
  setGroupVerified(id: string, verified: boolean, now: number): Promise<boolean>;
  /** Every credential of a suspended account is refused. Null if there is no such account. */
  setSuspended(account: AccountName, suspended: boolean, now: number): Promise<OperatorChange | null>;
  /**
   * Deletes a group, with its memberships and tokens. Its waiting posts are still delivered.
   * @returns ids of its tokens, or null if it does not exist
   */
  removeGroup(group: GroupKey, now: number): Promise<string[] | null>;
}
