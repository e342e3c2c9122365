/** Admission and deletion of accounts, as stored. Times are milliseconds since 1970. */
import type { AccountKey, QueueKey } from './records.ts';

export interface NewInvitation {
  id: string;
  digest: Uint8Array;
  /** Null: the operator. */
  maker: AccountKey | null;
  /** The number of accounts it opens. */
  uses: number;
  createdAt: number;
  expiresAt: number;
}

/** Everything that ends with an account, for open polls. */
export interface EndedAccount {
  /** Ids of its credentials. */
  credentials: string[];
  queues: QueueKey[];
}

export type DeletionOutcome =
  | ({ status: 'deleted' } & EndedAccount)
  | { status: 'waiting'; deletesAt: number }
  | { status: 'owns_groups' };

/** The part of the store that opens and deletes accounts. */
export interface AccountStore {
  /** True if an address has an account, deleted or not. */
  hasAccount(address: string): Promise<boolean>;
  /** Stores an invitation code. False if `most` codes of its maker can be used already. */
  createAccountInvitation(invitation: NewInvitation, most: number): Promise<boolean>;

  /**
   * Deletes an account: at once, or at `deletesAt`. An account that is already waiting keeps its date. Refused
   * while it owns a group with other members.
   */
  deleteAccount(account: AccountKey, deletesAt: number | null, now: number): Promise<DeletionOutcome>;
  /** Cancels the deletion of an account. */
  cancelDeletion(account: AccountKey, now: number): Promise<void>;
  /** Deletes one account that is due. Null if there is none. */
  deleteDueAccount(now: number): Promise<EndedAccount | null>;
}
