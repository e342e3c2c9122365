/** Database rows, and their conversion to the store's records. */
import type { CredentialType, Entitlement } from '../../../protocol/credentials.ts';
import type { DeviceList } from '../../../protocol/device-list.ts';
import type { JoinMode } from '../../../protocol/roster/forms.ts';
import type { RosterState } from '../../../protocol/roster/state.ts';
import type { SealKey } from '../../../protocol/seal-key.ts';
import type { GroupRecord } from '../group-records.ts';
import type { CredentialRecord, HandleEntry, PublishedDevices, StoredEnvelope } from '../records.ts';
import { blobToAddress, toText } from './values.ts';

export const CREDENTIAL = `
  SELECT credential.id, credential.public_id, type, account_id, address, credential.name, prefix, entitlements,
         credential.created_at, expires_at, last_used_at, revoked_at, group_id,
         suspended_at, device_id,
         chat_group.public_id AS group_public_id
    FROM credential JOIN account ON account.id = credential.account_id
    LEFT JOIN chat_group ON chat_group.id = credential.group_id`;

export interface CredentialRow {
  id: number;
  public_id: string;
  type: CredentialType;
  account_id: number;
  address: Buffer;
  name: string | null;
  prefix: string | null;
  entitlements: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  suspended_at: number | null;
  device_id: Buffer | null;
  group_id: number | null;
  group_public_id: string | null;
}

export function toCredential(row: CredentialRow): CredentialRecord {
  return {
    id: row.public_id,
    type: row.type,
    account: row.account_id,
    address: blobToAddress(row.address),
    name: row.name,
    prefix: row.prefix,
    entitlements: row.entitlements.split(' ') as Entitlement[],
    group:
      row.group_id === null || row.group_public_id === null
        ? null
        : { key: row.group_id, id: row.group_public_id },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    suspended: row.suspended_at !== null,
    byWallet: row.type === 'session' && row.device_id === null,
  };
}

export const HANDLE = `
  SELECT handle, address, display_name, verified, handle.created_at, handle.account_id
    FROM handle JOIN account ON account.id = handle.account_id AND suspended_at IS NULL`;

export interface HandleRow {
  handle: string;
  address: Buffer;
  display_name: string | null;
  verified: number;
  created_at: number;
  account_id: number;
}

export function toHandle(row: HandleRow): HandleEntry {
  return {
    handle: row.handle,
    address: blobToAddress(row.address),
    displayName: row.display_name,
    verified: row.verified === 1,
    createdAt: row.created_at,
  };
}

/** The newest list of an account. */
export interface ListRow {
  list: string;
  deleted_at: number | null;
}

/** @param statements of the seal keys of its devices */
export function toDevices(
  address: string,
  row: ListRow,
  statements: readonly { seal_statement: string }[],
): PublishedDevices {
  const deviceList = JSON.parse(row.list) as DeviceList;
  const byDevice = new Map<string, SealKey>();
  for (const { seal_statement } of statements) {
    const sealKey = JSON.parse(seal_statement) as SealKey;
    byDevice.set(sealKey.deviceId, sealKey);
  }
  const sealKeys = deviceList.devices.flatMap(({ deviceId }) => byDevice.get(deviceId) ?? []);
  return { address, deviceList, sealKeys, deleted: row.deleted_at !== null };
}

export interface GroupRow {
  id: number;
  public_id: string;
  name: string;
  description: string;
  password_hash: Buffer | null;
  join_mode: JoinMode;
  verified: number;
  listed: number;
  member_count: number;
  creator_id: number | null;
  address: Buffer | null;
  created_at: number;
  epoch: number;
  hash: Buffer;
}

export function toGroup(row: GroupRow): GroupRecord {
  return {
    key: row.id,
    id: row.public_id,
    name: row.name,
    description: row.description,
    passwordHash: row.password_hash,
    join: row.join_mode,
    verified: row.verified === 1,
    listed: row.listed === 1,
    memberCount: row.member_count,
    creator:
      row.creator_id === null || row.address === null
        ? null
        : { account: row.creator_id, address: blobToAddress(row.address) },
    createdAt: row.created_at,
    roster: { epoch: row.epoch, hash: toText(row.hash) },
  };
}

/** The fields of a roster's state that are kept as JSON. */
export type RosterFields = Pick<
  RosterState,
  'admins' | 'joinKey' | 'bots' | 'links' | 'timer' | 'unsignedBots' | 'ticketsAfter'
>;

export function fieldsOf(state: RosterState): RosterFields {
  const { admins, joinKey, bots, links, timer, unsignedBots, ticketsAfter } = state;
  return { admins, joinKey, bots, links, timer, unsignedBots, ticketsAfter };
}

export interface MailRow {
  hash: Buffer;
  accepted_at: number;
  sender: Buffer;
  via: CredentialType;
  as_request: number;
  recipient_key: Buffer | null;
  ephemeral_key: Buffer;
  nonce: Buffer;
  ciphertext: Buffer;
  group_id: string | null;
  bot_id: string | null;
  bot_name: string | null;
}

/** @param recipient address of the queue's owner */
export function toEnvelope(row: MailRow, recipient: Buffer): StoredEnvelope {
  return {
    id: toText(row.hash),
    from: blobToAddress(row.sender),
    to: blobToAddress(recipient),
    recipientDeviceKey: row.recipient_key && toText(row.recipient_key),
    asRequest: row.as_request === 1,
    ephemeralPublicKey: row.ephemeral_key,
    nonce: row.nonce,
    ciphertext: row.ciphertext,
    via: row.via,
    groupId: row.group_id,
    bot: row.bot_id === null ? null : { id: row.bot_id, name: row.bot_name ?? '' },
    receivedAt: row.accepted_at,
  };
}
