/**
 * Who may open an account, and how one ends, as the store keeps it. Times are milliseconds since 1970.
 */
import type { AccountKey, QueueKey } from './records.ts';

export interface NewInvitation {
  id: string;
  digest: Uint8Array;
  /** Null: the operator. */
  maker: AccountKey | null;
  /** How many accounts it opens. */
  uses: number;
  createdAt: number;
  expiresAt: number;
}

/** What ends with an account, for calls that are held. */
export interface EndedAccount {
  /** Ids of its credentials. */
  credentials: string[];
  queues: QueueKey[];
}

export type DeletionOutcome =
  | ({ status: 'deleted' } & EndedAccount)
  | { status: 'waiting'; deletesAt: number }
  | { status: 'owns_groups' };

/** The part of the store that opens and ends accounts. */
export interface AccountStore {
  /** Whether an address has an account, deleted or not. */
  hasAccount(address: string): Promise<boolean>;
  /** Keeps an invitation code. False if `most` of its maker can be spent already. */
  createAccountInvitation(invitation: NewInvitation, most: number): Promise<boolean>;

  /**
   * Ends an account: at once, or at `deletesAt`. One that waits already keeps its time. Refused while it owns a group with
   * other members.
   */
  deleteAccount(account: AccountKey, deletesAt: number | null, now: number): Promise<DeletionOutcome>;
  /** Keeps an account that was to end. */
  cancelDeletion(account: AccountKey, now: number): Promise<void>;
  /** Ends one account whose time has come. Null if there is none. */
  deleteDueAccount(now: number): Promise<EndedAccount | null>;
}
