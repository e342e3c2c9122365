/**
 * Accounts, credentials, devices and envelopes as stored. Times are milliseconds since 1970; addresses, device ids,
 * keys and envelope ids are in their wire form.
 */
import type { CredentialType, Entitlement } from '../../protocol/credentials.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import type { Registration } from '../../protocol/schemas/accounts.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { QueueLimits } from '../rules/queue-share.ts';

/** The store's own number of an account. */
export type AccountKey = number;
/** The store's own number of a device's queue. Never reused for another device. */
export type QueueKey = number;
/** The store's own number of a group. Never reused. */
export type GroupKey = number;

/** An account has reached the limit of recorded changes in a day. */
export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
  /** Milliseconds until another change is allowed. */
  readonly wait: number;

  constructor(wait: number) {
    super('too many changes of one account in a day');
    this.wait = wait;
  }
}

/** The caller's account was deleted while the call waited for its turn: nothing was written. */
export class AccountGone extends Error {
  override readonly name = 'AccountGone';
}

/** SQLite's code for a full disk, as it appears in the writer's errors and in the log: SQLITE_FULL. */
export function sqliteCodeIn(reason: string): string | undefined {
  return /\bSQLITE_\w+/.exec(reason)?.[0];
}

/** The store cannot accept the write now. The message is for the log. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = sqliteCodeIn(this.message);
}

export interface LoginChallenge {
  nonce: string;
  address: string;
  issuedAt: number;
  expiresAt: number;
}

/** The conditions on which an address without an account gets one. */
export interface Admission {
  policy: Registration;
  /** Hash of the login's invitation code; null if it has none. */
  invitation: Uint8Array | null;
}

export interface NewSession {
  /** A random name for the session where its secret must not appear. */
  id: string;
  /** Hash of the secret: the only stored form of it. */
  digest: Uint8Array;
  address: string;
  createdAt: number;
  expiresAt: number;
  /** For a renewal: the device and its time. Each pair counts once. */
  renewal: { deviceId: string; issuedAt: number } | null;
  /** True if an address without an account gets one. */
  admission: Admission;
  /** True if a deleted account is opened again. */
  reopens: boolean;
}

export interface NewApiKey {
  id: string;
  digest: Uint8Array;
  account: AccountKey;
  /** Id of the session that creates it: the key ends with the device of that session. */
  session: string;
  name: string;
  /** The first characters of the secret, shown in lists. */
  prefix: string;
  entitlements: Entitlement[];
  createdAt: number;
  expiresAt: number | null;
}

export interface CredentialRecord {
  id: string;
  type: CredentialType;
  account: AccountKey;
  /** The address of the caller, and of its envelopes. */
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
  /** True if the operator has suspended its account: then every call is refused. */
  suspended: boolean;
  /** True for a session opened by the wallet, not by a device. */
  byWallet: boolean;
}

/** The result of a login with a valid signature. `ended`: ids of older sessions that it ended. */
export type LoginResult =
  | { status: 'opened'; ended: string[] }
  | { status: 'refused' | 'suspended' | 'deleted' | 'invitation_required' | 'registration_closed' };

/** A page of a list. */
export interface ListQuery {
  limit: number;
  /** The `next` of the previous page. */
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
  /** The date of the account's deletion; null unless a device requested it. */
  deletesAt: number | null;
}

export interface HandleEntry {
  handle: string;
  address: string;
  displayName: string | null;
  verified: boolean;
  createdAt: number;
}

export interface HandleQuery {
  /** The caller. */
  by: AccountKey;
  /** The beginning of a handle, or from three characters on any part of one. Null for a search by name. */
  text: string | null;
  /** The beginning of a word of a display name, as `toNameText` returns it. Null for a search by handle. */
  name: string | null;
  verified: boolean | null;
  limit: number;
  /** The `next` of the previous page. */
  after: string | null;
}

export interface PublishedDevices {
  address: string;
  deviceList: DeviceList;
  /** The newest seal key of each device, in the order of the list, in force or not. */
  sealKeys: SealKey[];
  /** True if the account was deleted: then there are no seal keys. */
  deleted: boolean;
}

/** The lists of an address with `after` < sequence <= `upTo`. */
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

/** A new computer waiting to be linked, its form already checked. */
export interface NewLink {
  /** Its device id. */
  id: string;
  key: string;
  name: string;
  expiresAt: number;
}

/** The account that a new computer may join, and the device list for it. */
export interface StoredOffer {
  address: string;
  list: { sequence: number; hash: string };
}

export interface StoredLink extends NewLink {
  offer: StoredOffer | null;
}

/** `conflict`: it waits under another name. */
export type LinkOutcome = { status: 'waiting'; expiresAt: number } | { status: 'conflict' };
/** `gone`: no such computer waits. `conflict`: it has another offer. */
export type OfferOutcome = 'offered' | 'gone' | 'conflict';

/**
 * The result of a new API key: created, or refused because the limit is reached or the calling session has ended.
 */
export type ApiKeyOutcome = 'made' | 'full' | 'session_ended';

/** An envelope to store, in a valid form. Its three byte fields may share one buffer that nothing else uses. */
export interface EnvelopeToAccept {
  /** Hash of its sealed fields, in base64url. */
  id: string;
  to: string;
  /** Null: for every device of the address. */
  recipientDeviceKey: string | null;
  asRequest: boolean;
  /** False: after the last acknowledgement its id is unknown, and the same envelope is accepted again. */
  isRemembered: boolean;
  ephemeralPublicKey: Uint8Array;
  nonce: Uint8Array;
  ciphertext: Uint8Array;
}

export interface EnvelopesToAccept {
  from: string;
  /** The account of `from`. */
  account: AccountKey;
  via: CredentialType;
  /** A name of the sender's network, 16 bytes in base64url. Null if the network has no meaning. */
  network: string | null;
  now: number;
  limits: QueueLimits;
  envelopes: EnvelopeToAccept[];
}

export type AcceptOutcome =
  | { status: 'accepted'; acceptedAt: number; queues: QueueKey[] }
  | { status: 'duplicate'; acceptedAt: number }
  | { status: 'unknown_device' | 'no_devices' | 'account_deleted' | 'inbox_full' };

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
  /** For a copy posted to a group. */
  groupId: string | null;
  /** For a copy posted by a group token: the token, with its name at that time. */
  bot: { id: string; name: string } | null;
  receivedAt: number;
}

export interface InboxPage {
  envelopes: StoredEnvelope[];
  more: boolean;
}

/** A statement with a checked proof, with the post-quantum key that it names, base64url; null if it names none. */
export interface SealKeyPublication {
  sealKey: SealKey;
  pqKey: string | null;
}

/** A list with a checked proof. Published if it equals or follows the list with the sequence `after`. */
export interface DevicesPublication {
  account: AccountKey;
  /** Id of the publishing session. */
  session: string;
  deviceList: DeviceList;
  /** 0: none. */
  after: number;
  /** The limit of devices in the list. */
  sealKeys: SealKeyPublication[];
  now: number;
}

/** Devices that a new list omits: their queues, their sessions and the credentials of those were deleted. */
export interface DroppedDevices {
  queues: QueueKey[];
  /**
   * Ids of the ended credentials: sessions renewed by these devices, other sessions of the wallet, and API keys and
   * group tokens created with a session of these devices.
   */
  credentials: string[];
}

export type PublishOutcome =
  /** `informed`: the queues of the devices that stay listed, whose held calls end. */
  | { status: 'published'; dropped: DroppedDevices; informed: QueueKey[] }
  | { status: 'list_conflict' }
  | { status: 'seal_key_conflict' }
  /** `wait`: milliseconds until another list is allowed. */
  | { status: 'too_many_lists'; wait: number };
