/**
 * What lets someone into a group, protocol §11: 'Rosters': signatures of joins, and tickets.
 */
import { createPublicKey, sign, verify } from 'node:crypto';
import type { Account } from './account.ts';
import {
  addressBytes,
  type Bytes,
  base64url,
  concat,
  fromBase64url,
  u32,
  u64Milliseconds,
  utf8,
} from './bytes.ts';
import { type DeviceList, isSignedBy } from './device.ts';
import { isAddress, isBase64url, isRecord, isSequence, isTime } from './forms.ts';
import type { Chain, EntryBody, ListOf } from './roster.ts';

const MOST_LIFE = 30 * 86_400_000;

export interface Ticket {
  address: string;
  issued: string;
  expires: string;
  by: string;
  list: number;
  deviceId: string;
  signature: string;
}

/** Whether a value has the form of a ticket; whether it holds is another matter. */
export function isTicket(value: unknown): value is Ticket {
  if (!isRecord(value) || !isAddress(value.address) || !isAddress(value.by)) return false;
  if (!isTime(value.issued) || !isTime(value.expires) || !isSequence(value.list)) return false;
  return isBase64url(value.deviceId, 16) && isBase64url(value.signature, 64);
}

/** What the key of a password or a link signs to join after an entry. */
export function proofBytes(groupId: string, previous: string, address: string): Bytes {
  return concat(
    utf8('waxwing/join/v1'),
    fromBase64url(groupId),
    fromBase64url(previous),
    addressBytes(address),
  );
}

/** Whether an Ed25519 key, in base64url, signed these bytes. */
export function verifyBy(x: string, bytes: Uint8Array, signature: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, bytes, key, fromBase64url(signature));
}

/** A ticket for an address, by an account that is creator or admin of the group; it ends after 30 days. */
export function signTicket(account: Account, groupId: string, address: string): Ticket {
  const now = Date.now();
  const fields = {
    address,
    issued: new Date(now).toISOString(),
    expires: new Date(now + MOST_LIFE).toISOString(),
    by: account.address,
    list: account.list?.sequence ?? 0,
  };
  const { listed, signingKey } = account.device;
  const signature = base64url(sign(null, ticketBytes(groupId, fields), signingKey));
  return { ...fields, deviceId: listed.deviceId, signature };
}

/** What a ticket's device signs. */
function ticketBytes(groupId: string, ticket: Omit<Ticket, 'deviceId' | 'signature'>): Bytes {
  const { address, issued, expires, by, list } = ticket;
  return concat(
    utf8('waxwing/ticket/v1'),
    fromBase64url(groupId),
    addressBytes(address),
    u64Milliseconds(issued),
    u64Milliseconds(expires),
    addressBytes(by),
    u32(list),
  );
}

/** @throws Error with the rule that a ticket breaks at a join */
export async function ticketHolds(
  ticket: Ticket,
  chain: Pick<Chain, 'groupId' | 'creator' | 'admins' | 'departed' | 'named'>,
  join: EntryBody,
  listOf: ListOf,
): Promise<void> {
  const { address, issued, expires, by, list, deviceId, signature } = ticket;
  const life = Date.parse(expires) - Date.parse(issued);
  if (address !== join.by || life <= 0 || life > MOST_LIFE) throw new Error('the ticket is not for this');
  if (join.issued < issued || join.issued >= expires) throw new Error('the ticket is not for this time');
  if (issued <= (chain.departed.get(address) ?? '')) throw new Error('the ticket has ended');
  if (by !== chain.creator && !chain.admins.includes(by)) throw new Error('the ticket is by nobody who may');
  const signed = ticketBytes(chain.groupId, ticket);
  const device = deviceIn(await listOf(by, list), deviceId);
  if (!device || device.validUntil <= issued) throw new Error('the device of the ticket does not stand');
  if (!isSignedBy(device, signed, fromBase64url(signature))) throw new Error('the ticket is not signed');
  const newest = Math.max(list, chain.named.get(by) ?? 0);
  const still = deviceIn(await listOf(by, newest), deviceId);
  if (!still || still.validUntil <= join.issued) throw new Error('the device of the ticket is gone');
}

function deviceIn({ devices }: DeviceList, deviceId: string) {
  return devices.find((each) => each.deviceId === deviceId);
}
