/**
 * What the operator of a relay asks of its store, and the audit log.
 */
import type { OperatorFailureData } from '../operator/failure.ts';
import type { GroupKey } from './records.ts';

/** What is written down. The part before the point says what it is about; `target` names which one. */
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
  /** 1, 2, 3, … without a gap; those of long ago are gone. */
  sequence: number;
  at: number;
  /** The address of who did it, or `operator`. */
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
  /** Rows before them whose time was over, and which are gone. */
  expired: number;
  /** The hash of the last row, which vouches for all before it. Null while there is none. */
  head: string | null;
  /** The first row that is not as it was written. Null if all are. */
  problem: OperatorFailureData | null;
}

export interface RelayStats {
  accounts: number;
  suspendedAccounts: number;
  devices: number;
  groups: number;
  /** Envelopes that wait in queues, each counted once for each queue that holds it. */
  waitingEnvelopes: number;
  waitingBytes: number;
  /** When the oldest envelope that waits was accepted. */
  oldestWaiting: number | null;
}

/** What a store can tell about itself at any time, at no cost. */
export interface StoreMeasures {
  /** Transactions that were committed since the start. */
  commits: number;
  /** What waits to be written, in bytes. */
  queuedBytes: number;
  /** The database with what is not yet merged into it. */
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
  /** Null once it left. */
  creator: string | null;
  members: number;
  tokens: number;
  verified: boolean;
  createdAt: number;
}

/** An invitation code as the operator sees it: never the code itself. */
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
  /** Whether it has opened one. */
  hasAccount: boolean;
}

/** What of an account's usage the operator goes by. */
export const USAGE_MEASURES = ['envelopes', 'bytes', 'blobs', 'devices', 'groups'] as const;
export type UsageMeasure = (typeof USAGE_MEASURES)[number];

/** What an account takes up at the relay. */
export interface AccountUsage {
  address: string;
  handle: string | null;
  suspended: boolean;
  createdAt: number;
  /** What waits for its devices, in envelopes and in bytes of ciphertext. */
  envelopes: number;
  bytes: number;
  /** What its files count for, in bytes. */
  blobs: number;
  devices: number;
  /** Groups that it is a member of. */
  groups: number;
}

/** What names an account to its operator. */
export type AccountName = { address: string } | { handle: string };

/** A change that was made, with the ids of credentials that work no longer. */
export interface OperatorChange {
  address: string;
  credentials: string[];
}

/** The part of the store that serves the operator. Its reads may take long, and hold up nobody. */
export interface OperatorStore {
  measure(): StoreMeasures;
  readStats(): Promise<RelayStats>;
  /** The accounts that take up most of one thing, those with most first. */
  listUsage(by: UsageMeasure, limit: number): Promise<AccountUsage[]>;
  /** Handles, public or not, that contain the text, in their order. */
  listHandles(text: string, limit: number): Promise<OperatorHandle[]>;
  /** Groups whose name contains the text, or whose id it is; newest first. */
  listGroups(text: string, limit: number): Promise<OperatorGroup[]>;
  /** Invitation codes that can still be spent, newest first. */
  listAccountInvitations(now: number, limit: number): Promise<OperatorInvitation[]>;
  /** False if there is no such invitation. */
  revokeAccountInvitation(id: string, now: number): Promise<boolean>;
  /** Addresses that may open an account without a code, newest first. */
  listAdmitted(limit: number): Promise<AdmittedAddress[]>;
  /** Lets an address open an account without a code, or not any more. False if nothing changed. */
  setAdmitted(address: string, admitted: boolean, now: number): Promise<boolean>;
  /** The newest rows, oldest of them first. */
  readAudit(limit: number): Promise<AuditRow[]>;
  verifyAudit(): Promise<AuditVerdict>;
  /**
   * Writes a consistent copy of everything that was committed when it began. Writes go on meanwhile.
   * @returns the size of the copy in bytes
   * @throws OperatorFailure backup_failed if the file is there already or cannot be written
   */
  backUp(file: string, now: number): Promise<number>;

  /** False if nobody has the handle. */
  setHandleVerified(handle: string, verified: boolean, now: number): Promise<boolean>;
  /** False if there is no such group. */
  setGroupVerified(id: string, verified: boolean, now: number): Promise<boolean>;
  /** Every credential of a suspended account is refused. Null if there is no such account. */
  setSuspended(account: AccountName, suspended: boolean, now: number): Promise<OperatorChange | null>;
  /**
   * Takes a group away, with its memberships and tokens. What was posted to it and waits is still delivered.
   * @returns ids of its tokens, or null if it is gone
   */
  removeGroup(group: GroupKey, now: number): Promise<string[] | null>;
}
