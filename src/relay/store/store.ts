/**
 * What the relay keeps, behind one interface. SQLite stands behind it now; nothing here is SQLite's.
 *
 * Every write resolves only after it is durable: committed with a sync of the disk. A write that could not be
 * made so rejects with {@link StoreUnavailable}, and whether it had an effect is then unknown.
 * Times are milliseconds since 1970; addresses, device ids, keys and envelope ids are in their wire form.
 */
import type { CredentialType, Entitlement } from '../../protocol/credentials.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { GroupKey, GroupStore } from './group-records.ts';
import type { OperatorStore } from './operator-records.ts';
import type { QueueLimits } from './queue-share.ts';

/** The store's own number of an account. */
export type AccountKey = number;
/** The store's own number of a device's queue. Never used again for another device. */
export type QueueKey = number;

/** An account has made as many changes as are written down in a day. */
export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
  /** Until another one is taken, in milliseconds. */
  readonly wait: number;

  constructor(wait: number) {
    super('too many changes of one account in a day');
    this.wait = wait;
  }
}

/** The store cannot take the write now. The message is for the log. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export interface LoginChallenge {
  nonce: string;
  address: string;
  issuedAt: number;
  expiresAt: number;
}

export interface NewSession {
  /** Random, names the session where its secret must not stand. */
  id: string;
  /** Hash of the secret: all that is kept of it. */
  digest: Uint8Array;
  address: string;
  createdAt: number;
  expiresAt: number;
  /** For a renewal: who renewed. Each device and time counts once. */
  renewal: { deviceId: string; issuedAt: number } | null;
}

export interface NewApiKey {
  id: string;
  digest: Uint8Array;
  account: AccountKey;
  name: string;
  /** The first characters of the secret, shown again in lists. */
  prefix: string;
  entitlements: Entitlement[];
  createdAt: number;
  expiresAt: number | null;
}

export interface CredentialRecord {
  id: string;
  type: CredentialType;
  account: AccountKey;
  /** The address that calls, and under which envelopes are routed. */
  address: string;
  name: string | null;
  prefix: string | null;
  entitlements: Entitlement[];
  /** The group of a group token. */
  group: { key: GroupKey; id: string } | null;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** A page of a list. */
export interface ListQuery {
  limit: number;
  /** What the page before gave as `next`. */
  after: string | null;
}

export interface CredentialPage {
  credentials: CredentialRecord[];
  next: string | null;
}

export interface Profile {
  handle: string | null;
  displayName: string | null;
  developerApi: boolean;
}

export interface HandleEntry {
  handle: string;
  address: string;
  displayName: string | null;
  verified: boolean;
  createdAt: number;
}

export interface HandleQuery {
  /** Who asks. */
  by: AccountKey;
  text: string;
  verified: boolean | null;
  limit: number;
  /** What the page before gave as `next`. */
  after: string | null;
}

export interface PublishedDevices {
  address: string;
  deviceList: DeviceList;
  /** The newest seal key of each device, in the order of the list, in force or not. */
  sealKeys: SealKey[];
}

/** Of the lists of an address, those with `after` < sequence <= `upTo`. */
export interface ListRange {
  address: string;
  after: number;
  upTo: number;
}

export interface ListPage {
  /** In the order of their sequences. */
  lists: DeviceList[];
  more: boolean;
}

/** What waits under a one-time code, its form already checked. */
export interface NewLink {
  /** Derived from the code. */
  id: string;
  account: AccountKey;
  sealed: string;
  expiresAt: number;
}

/** `conflict`: its id is in use. `full`: as many of the account wait as may. */
export type LinkOutcome = { status: 'waiting'; expiresAt: number } | { status: 'conflict' | 'full' };

/** An envelope as a sender hands it in, its form already checked. */
export interface EnvelopeToAccept {
  /** Hash of its sealed fields. */
  id: string;
  to: string;
  /** Null: for every device of the address. */
  recipientDeviceKey: string | null;
  asRequest: boolean;
  ephemeralPublicKey: string;
  nonce: string;
  ciphertext: string;
}

export interface EnvelopesToAccept {
  from: string;
  /** The account of `from`. */
  account: AccountKey;
  via: CredentialType;
  /** A name of the network that they come from, 16 bytes in base64url. Null where that says nothing. */
  network: string | null;
  now: number;
  limits: QueueLimits;
  envelopes: EnvelopeToAccept[];
}

export type AcceptOutcome =
  | { status: 'accepted'; acceptedAt: number; queues: QueueKey[] }
  | { status: 'duplicate'; acceptedAt: number }
  | { status: 'unknown_device' | 'no_devices' | 'inbox_full' };

export interface StoredEnvelope {
  id: string;
  from: string;
  to: string;
  recipientDeviceKey: string | null;
  asRequest: boolean;
  ephemeralPublicKey: Buffer;
  nonce: Buffer;
  ciphertext: Buffer;
  via: CredentialType;
  /** Of a copy that was posted to a group. */
  groupId: string | null;
  receivedAt: number;
}

export interface InboxPage {
  envelopes: StoredEnvelope[];
  more: boolean;
}

/** A list whose proof was checked: published if it is the same as or follows the one with the sequence `after`. */
export interface DevicesPublication {
  account: AccountKey;
  /** Id of the session that publishes. */
  session: string;
  deviceList: DeviceList;
  /** 0: none. */
  after: number;
  /** Of devices in the list. */
  sealKeys: SealKey[];
  now: number;
}

/** Devices that a new list leaves out: their queues and sessions are gone. */
export interface DroppedDevices {
  queues: QueueKey[];
  /** Ids of the sessions that ended: those that these devices had renewed, and other ones of the wallet. */
  sessions: string[];
}

export type PublishOutcome =
  | { status: 'published'; dropped: DroppedDevices }
  | { status: 'list_conflict' }
  | { status: 'seal_key_conflict' }
  /** `wait`: milliseconds until another list is taken. */
  | { status: 'too_many_lists'; wait: number };

export interface Store extends GroupStore, OperatorStore {
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
   * Makes the account too, if it is the first. Of the sessions of a device, and of those of the wallet, the newest `most`
   * go on.
   * @returns ids of the sessions that ended. Null if the renewal was used before, its device is gone, or the account is suspended
   */
  createSession(session: NewSession, most: number): Promise<string[] | null>;
  deleteSession(id: string): Promise<void>;
  /** A credential by the hash of its secret: not revoked, not expired, its account not suspended, and, for API keys, access unlocked. */
  findCredential(digest: Uint8Array, now: number): Promise<CredentialRecord | null>;
  touchCredential(id: string, usedAt: number): Promise<void>;

  readProfile(account: AccountKey): Promise<Profile>;
  /** False if another account has the handle. */
  claimHandle(account: AccountKey, handle: string, isPublic: boolean, now: number): Promise<boolean>;
  setDisplayName(account: AccountKey, displayName: string | null): Promise<void>;
  /** @returns ids of the API keys that work no longer, where access is locked */
  setDeveloperAccess(account: AccountKey, enabled: boolean, now: number): Promise<string[]>;
  /** False if `most` keys of the account work already. */
  createApiKey(apiKey: NewApiKey, most: number): Promise<boolean>;
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
    sealKey: SealKey,
    now: number,
  ): Promise<'published' | 'unknown_device' | 'conflict'>;

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

  /** Keeps a link until it is taken or expires. The same one again stays as it is. `most` may wait for an account. */
  saveLink(link: NewLink, now: number, most: number): Promise<LinkOutcome>;
  /** False if no such link of the account waits. */
  deleteLink(account: AccountKey, id: string, now: number): Promise<boolean>;
  /** Takes a link out, so that one call alone gets it. Null if none waits. */
  takeLink(id: string, now: number): Promise<string | null>;

  /**
   * Removes a small batch of what has outlived its time: envelopes accepted before `acceptedBefore`, the beginning of the
   * audit log as far as it was written before `auditBefore`, and logins and links that expired before `now`.
   * @returns whether there may be more
   */
  expire(now: number, acceptedBefore: number, auditBefore: number): Promise<boolean>;
}
