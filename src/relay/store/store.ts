/**
 * What the relay keeps, behind one interface. SQLite stands behind it now; nothing here is SQLite's.
 *
 * Every write resolves only after it is durable: committed with a sync of the disk. A write that could not be
 * made so rejects with {@link StoreUnavailable}, and whether it had an effect is then unknown.
 * Times are milliseconds since 1970; addresses, device ids, keys and envelope ids are in their wire form.
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
  /** Rejects with {@link StoreUnavailable} when the store cannot write any more. */
  checkHealth(): Promise<void>;
  close(): Promise<void>;

  /**
   * Keeps a challenge. Of those that one network address asked for the newest `most` are kept, and so many in all.
   * @param asker a name of that address, 16 bytes in base64url. Null where that says nothing.
   */
  saveChallenge(challenge: LoginChallenge, asker: string | null, most: number): Promise<void>;
  /** Takes a challenge out, so that it counts once, whatever comes of it. Null if there is none. */
  takeChallenge(nonce: string): Promise<LoginChallenge | null>;
  /**
   * Makes the account too, if it is the first and its address is admitted, and opens one again that was deleted, if the
   * wallet logs in. Of the sessions of a device, and of those of the wallet, the newest `most` go on. Refused if the
   * renewal was used before, or its device is gone.
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
  /** @returns ids of the API keys that work no longer, where access is locked */
  setDeveloperAccess(account: AccountKey, enabled: boolean, now: number): Promise<string[]>;
  /** `most` keys of an account may work. */
  createApiKey(apiKey: NewApiKey, most: number): Promise<ApiKeyOutcome>;
  /** Newest first: those that work, and some that do not any more. */
  listApiKeys(account: AccountKey, page: ListQuery): Promise<CredentialPage>;
  /** False if the account has no such key. */
  revokeApiKey(account: AccountKey, id: string, now: number): Promise<boolean>;

  findHandle(handle: string): Promise<HandleEntry | null>;
  /** The public handle of an address. */
  findHandleOf(address: string): Promise<HandleEntry | null>;
  /** A page may come short, as one of groups may. */
  searchHandles(query: HandleQuery): Promise<{ handles: HandleEntry[]; next: string | null }>;

  readDevices(address: string): Promise<PublishedDevices | null>;
  /** All lists that an address has ever published are kept; none if it has published none. */
  readLists(range: ListRange, limit: number): Promise<ListPage>;
  publishDevices(publication: DevicesPublication): Promise<PublishOutcome>;
  /** Publishes the next seal key of a device. */
  publishSealKey(
    account: AccountKey,
    publication: SealKeyPublication,
    now: number,
  ): Promise<'published' | 'unknown_device' | 'conflict'>;
  /** The post-quantum keys with these digests that devices have now, by digest, all in base64url. @param by who asks */
  readPqKeys(digests: readonly string[], by: AccountKey): Promise<Record<string, string>>;

  /** Outcomes in the order of the envelopes. */
  acceptEnvelopes(request: EnvelopesToAccept): Promise<AcceptOutcome[]>;
  findQueue(account: AccountKey, deviceId: string): Promise<QueueKey | null>;
  /** How much ciphertext waits in a queue, in bytes. */
  queuedBytes(queue: QueueKey): Promise<number>;
  /** Oldest first; at most `limit` envelopes and about `bytes` bytes of ciphertext, but at least one envelope. */
  readInbox(queue: QueueKey, limit: number, bytes: number): Promise<InboxPage>;
  /** Which of these queues have something in them. */
  findFilledQueues(queues: readonly QueueKey[]): Promise<QueueKey[]>;
  /** @returns how many were in the queue and left it */
  acknowledge(queue: QueueKey, ids: string[]): Promise<number>;

  /** Keeps a new computer that waits until it expires. The same one again stays as it is. */
  saveLink(link: NewLink, now: number): Promise<LinkOutcome>;
  /** Null if it does not wait, or not any more. */
  findLink(id: string, now: number): Promise<StoredLink | null>;
  /** Keeps the first offer to a computer that waits. The same one again stays as it is. */
  saveOffer(id: string, offer: StoredOffer, now: number): Promise<OfferOutcome>;

  /**
   * Removes a small batch of what has outlived its time: envelopes accepted before `acceptedBefore`, the beginning of the
   * audit log as far as it was written before `auditBefore`, and logins and links that expired before `now`.
   * @returns whether there may be more
   */
  expire(now: number, acceptedBefore: number, auditBefore: number): Promise<boolean>;
}
