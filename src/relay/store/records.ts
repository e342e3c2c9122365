/**
 * Accounts, credentials, devices and envelopes as the store keeps them. Times are milliseconds since 1970; addresses,
 * device ids, keys and envelope ids are in their wire form.
 */
import type { CredentialType, Entitlement } from '../../protocol/credentials.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import type { Registration } from '../../protocol/schemas/accounts.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { QueueLimits } from '../rules/queue-share.ts';

/** The store's own number of an account. */
export type AccountKey = number;
/** The store's own number of a device's queue. Never used again for another device. */
export type QueueKey = number;
/** The store's own number of a group. Never used again for another. */
export type GroupKey = number;

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

/** The account of the caller was deleted while the call waited for its turn: nothing was written. */
export class AccountGone extends Error {
  override readonly name = 'AccountGone';
}

/** SQLite's code in what the writer says of a failure: SQLITE_FULL. It stands in the log. */
export function sqliteCodeIn(reason: string): string | undefined {
  return /\bSQLITE_\w+/.exec(reason)?.[0];
}

/** The store cannot take the write now. The message is for the log. */
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

/** What decides whether an address that has no account gets one. */
export interface Admission {
  policy: Registration;
  /** Hash of the invitation code that the login brings; null if it brings none. */
  invitation: Uint8Array | null;
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
  /** Whether the address gets an account, if it has none. */
  admission: Admission;
  /** Whether a deleted account is opened again. */
  reopens: boolean;
}

export interface NewApiKey {
  id: string;
  digest: Uint8Array;
  account: AccountKey;
  /** Id of the session that makes it: it ends with the device of that session. */
  session: string;
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
  /** Whether the operator has suspended its account: then it may call nothing. */
  suspended: boolean;
  /** Whether it is a session that the wallet opened, and no device. */
  byWallet: boolean;
}

/** What becomes of a login whose signature holds. `ended`: ids of older sessions that ended for it. */
export type LoginResult =
  | { status: 'opened'; ended: string[] }
  | { status: 'refused' | 'suspended' | 'deleted' | 'invitation_required' | 'registration_closed' };

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
  /** When the account is to end; null unless a device asked for it. */
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
  /** Who asks. */
  by: AccountKey;
  /** How a handle begins, or from three characters on what it has inside. Null where no handle is meant. */
  text: string | null;
  /** How a word of a display name begins, as `toNameText` gives it. Null where no name is meant. */
  name: string | null;
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
  /** Whether the account was deleted: then there are no seal keys. */
  deleted: boolean;
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

/** A new computer that waits to be linked, its form already checked. */
export interface NewLink {
  /** Its device id. */
  id: string;
  key: string;
  name: string;
  expiresAt: number;
}

/** As whom a new computer may join, and by which device list. */
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

/** What became of an API key: made, or not because as many work as may, or because the session that asked has ended. */
export type ApiKeyOutcome = 'made' | 'full' | 'session_ended';

/** An envelope to store, in a valid form. Its three byte fields may share one buffer, which is theirs alone. */
export interface EnvelopeToAccept {
  /** Hash of its sealed fields, in base64url. */
  id: string;
  to: string;
  /** Null: for every device of the address. */
  recipientDeviceKey: string | null;
  asRequest: boolean;
  ephemeralPublicKey: Uint8Array;
  nonce: Uint8Array;
  ciphertext: Uint8Array;
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
  /** Of a copy that was posted to a group. */
  groupId: string | null;
  /** Of a copy that a group token posted: the token, as it was called then. */
  bot: { id: string; name: string } | null;
  receivedAt: number;
}

export interface InboxPage {
  envelopes: StoredEnvelope[];
  more: boolean;
}

/** A statement whose proof was checked, with the post-quantum key that it names, base64url; null if it names none. */
export interface SealKeyPublication {
  sealKey: SealKey;
  pqKey: string | null;
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
  sealKeys: SealKeyPublication[];
  now: number;
}

/** Devices that a new list leaves out: their queues, their sessions and what those made are gone. */
export interface DroppedDevices {
  queues: QueueKey[];
  /**
   * Ids of the credentials that ended: sessions that these devices had renewed, other ones of the wallet, and API keys
   * and group tokens that were made with a session of these devices.
   */
  credentials: string[];
}

export type PublishOutcome =
  | { status: 'published'; dropped: DroppedDevices }
  | { status: 'list_conflict' }
  | { status: 'seal_key_conflict' }
  /** `wait`: milliseconds until another list is taken. */
  | { status: 'too_many_lists'; wait: number };
