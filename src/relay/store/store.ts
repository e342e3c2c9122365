/**
 * The relay's data, behind one interface without details of the engine (SQLite or PostgreSQL).
 *
 * Every write resolves only when it is durable: committed with a sync of the disk. A write that failed to become
 * durable rejects with {@link StoreUnavailable}, and its effect is then unknown. Times are milliseconds since 1970;
 * addresses, device ids, keys and envelope ids are in their wire form.
 */
import type { AccountStore } from './account-records.ts';
import type { BlobRecordStore } from './blob-records.ts';
import type { GroupStore } from './group-records.ts';
import type { OperatorStore } from './operator-records.ts';
import type {
  AcceptOutcome,
  AccountKey,
  ApiKeyOutcome,
  CredentialPage,
  CredentialRecord,
  DevicesPublication,
  EnvelopesToAccept,
  HandleEntry,
  HandleQuery,
  InboxPage,
  LinkOutcome,
  ListPage,
  ListQuery,
  ListRange,
  LoginChallenge,
  LoginResult,
  NewApiKey,
  NewLink,
  NewSession,
  OfferOutcome,
  Profile,
  PublishedDevices,
  PublishOutcome,
  QueueKey,
  SealKeyPublication,
  StoredLink,
  StoredOffer,
  StoreUnavailable,
} from './records.ts';
import type { ReportStore } from './report-records.ts';
import type { RosterStore } from './roster-records.ts';

export interface Store
  extends AccountStore,
    GroupStore,
    RosterStore,
    BlobRecordStore,
    ReportStore,
    OperatorStore {
  /** Rejects with {@link StoreUnavailable} when the store can no longer write. */
  checkHealth(): Promise<void>;
  close(): Promise<void>;

  /**
   * Stores a challenge. The newest `most` per network address are kept, and a limited number in total.
   * @param networkName a name of that address, 16 bytes in base64url. Null where the address has no meaning.
   */
  saveChallenge(challenge: LoginChallenge, networkName: string | null, most: number): Promise<void>;
  /** Removes and returns a challenge, so that it counts once, also after a failed login. Null if there is none. */
  consumeChallenge(nonce: string): Promise<LoginChallenge | null>;
  /**
   * Opens a session. Also creates the account at the first login of an admitted address, and reopens a deleted
   * account when the wallet logs in. Of the sessions of a device, and of those of the wallet, the newest `most`
   * continue. Refused if the renewal was used before, or its device was deleted.
   */
  createSession(session: NewSession, most: number): Promise<LoginResult>;
  deleteSession(id: string): Promise<void>;
  /** A credential by the hash of its secret: not revoked, not expired, and, for API keys, access unlocked. */
  findCredential(digest: Uint8Array, now: number): Promise<CredentialRecord | null>;
  touchCredential(id: string, usedAt: number): Promise<void>;

  readProfile(account: AccountKey): Promise<Profile>;
  /** False if another account has the handle. */
  claimHandle(account: AccountKey, handle: string, isPublic: boolean, now: number): Promise<boolean>;
  setDisplayName(account: AccountKey, displayName: string | null): Promise<void>;
  /** @returns ids of the API keys that no longer work, where access is locked */
  setDeveloperAccess(account: AccountKey, enabled: boolean, now: number): Promise<string[]>;
  /** `most` is the limit of valid keys of an account. */
  createApiKey(apiKey: NewApiKey, most: number): Promise<ApiKeyOutcome>;
  /** Newest first: the valid ones, and some that have ended. */
  listApiKeys(account: AccountKey, page: ListQuery): Promise<CredentialPage>;
  /** False if the account has no such key. */
  revokeApiKey(account: AccountKey, id: string, now: number): Promise<boolean>;

  findHandle(handle: string): Promise<HandleEntry | null>;
  /** The public handle of an address. */
  findHandleOf(address: string): Promise<HandleEntry | null>;
  /** A page may be short, as one of groups may. */
  searchHandles(query: HandleQuery): Promise<{ handles: HandleEntry[]; next: string | null }>;

  readDevices(address: string): Promise<PublishedDevices | null>;
  /** All lists that an address has ever published; empty if it has published none. */
  readLists(range: ListRange, limit: number): Promise<ListPage>;
  publishDevices(publication: DevicesPublication): Promise<PublishOutcome>;
  /** Publishes the next seal key of a device. */
  publishSealKey(
    account: AccountKey,
    publication: SealKeyPublication,
    now: number,
  ): Promise<'published' | 'unknown_device' | 'conflict'>;
  /**
   * The current post-quantum keys of devices with these digests, by digest, all in base64url. @param by the caller
   */
  readPqKeys(digests: readonly string[], by: AccountKey): Promise<Record<string, string>>;

  /** Outcomes in the order of the envelopes. */
  acceptEnvelopes(request: EnvelopesToAccept): Promise<AcceptOutcome[]>;
  findQueue(account: AccountKey, deviceId: string): Promise<QueueKey | null>;
  /** The amount of ciphertext waiting in a queue, in bytes. */
  queuedBytes(queue: QueueKey): Promise<number>;
  /** Oldest first; at most `limit` envelopes and about `bytes` bytes of ciphertext, but at least one envelope. */
  readInbox(queue: QueueKey, limit: number, bytes: number): Promise<InboxPage>;
  /** Returns the queues that are not empty. */
  findFilledQueues(queues: readonly QueueKey[]): Promise<QueueKey[]>;
  /** @returns the number removed from the queue */
  acknowledge(queue: QueueKey, ids: string[]): Promise<number>;

  /** Stores a waiting new computer until it expires. A repetition changes nothing. */
  saveLink(link: NewLink, now: number): Promise<LinkOutcome>;
  /** Finds a waiting new computer; null if it does not wait or no longer waits. */
  findLink(id: string, now: number): Promise<StoredLink | null>;
  /** Stores the first offer to a waiting computer. A repetition changes nothing. */
  saveOffer(id: string, offer: StoredOffer, now: number): Promise<OfferOutcome>;

  /**
   * Deletes a small batch of expired data: envelopes accepted before `acceptedBefore`, the beginning of the audit
   * log written before `auditBefore`, and logins and links that expired before `now`.
   * @returns true if there may be more
   */
  expire(now: number, acceptedBefore: number, auditBefore: number): Promise<boolean>;
}
