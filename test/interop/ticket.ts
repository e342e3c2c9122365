import { concat, fromBase64url, isBase64url, textBytes, u32, u64 } from './bytes.ts';
import {
  addressBytes,
  type Fields,
  idBytes,
  isAddress,
  isFields,
  isNumber,
  isTime,
  msOf,
  timeOf,
} from './forms.ts';
import { isSigned, type SigningKey } from './keys.ts';

/** A ticket by which one address can join a group (section 11, 'Rosters'). */
export interface Ticket {
  address: string;
  issued: string;
  expires: string;
  by: string;
  list: number;
  deviceId: string;
  signature: string;
}

export const TICKET_FIELDS = ['address', 'issued', 'expires', 'by', 'list', 'deviceId', 'signature'];

/** Reports whether a value has the form of a ticket. The caller validates other fields. */
export function isTicket(value: unknown): value is Ticket {
  if (!isFields(value)) return false;
  const { address, issued, expires, by, list, deviceId, signature }: Fields = value;
  return (
    isAddress(address) &&
    isTime(issued) &&
    isTime(expires) &&
    isAddress(by) &&
    isNumber(list) &&
    isBase64url(deviceId, 16) &&
    isBase64url(signature, 64)
  );
}

/** The bytes signed by the device of `by`, without the device itself. */
export const ticketBytes = (groupId: string, ticket: Omit<Ticket, 'signature'>): Uint8Array =>
  concat(
    textBytes('waxwing/ticket/v1'),
    idBytes(groupId),
    addressBytes(ticket.address),
    u64(msOf(ticket.issued)),
    u64(msOf(ticket.expires)),
    addressBytes(ticket.by),
    u32(ticket.list),
  );

export const isTicketSigned = (groupId: string, ticket: Ticket, key: string): boolean =>
  isSigned(fromBase64url(key, 32), fromBase64url(ticket.signature, 64), ticketBytes(groupId, ticket));

/** The signer: an address, its device and the number of its newest list. */
export interface Signer {
  address: string;
  device: SigningKey;
  list: number;
}

/**
 * A ticket for `address`.
 * @param times milliseconds; `issued` has to be later than the last entry of the chain
 */
export function signTicket(
  groupId: string,
  signer: Signer,
  address: string,
  times: { issued: number; expires: number },
): Ticket {
  const ticket = {
    address,
    issued: timeOf(times.issued),
    expires: timeOf(times.expires),
    by: signer.address,
    list: signer.list,
    deviceId: signer.device.id,
  };
  return { ...ticket, signature: signer.device.sign(ticketBytes(groupId, ticket)) };
}
