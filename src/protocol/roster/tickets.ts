/**
 * Tickets: an admission for one address, signed ahead, so that the person can join while no member is online.
 *
 *   signed = "waxwing/ticket/v1" || groupId(16) || address(20) || issued u64 || expires u64 || by(20) || list u32
 */

import { type PrivateKey, signEd25519, verifyEd25519 } from '../crypto.ts';
import { deviceIdOf } from '../device-id.ts';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  encodeBase64Url,
  encodeTime,
  encodeU32,
  encodeU64,
  encodeUtf8,
} from '../encoding.ts';
import { addressBytes } from '../wire-address.ts';
import { findDevice, hasExpired } from './devices.ts';
import type { Ticket } from './forms.ts';
import { MAX_TICKET_LIFE } from './limits.ts';
import { isCreatorOrAdmin, personOf, type RosterState } from './state.ts';
import { type RosterContext, type RosterEnd, refuse } from './verdict.ts';

const LABEL = encodeUtf8('waxwing/ticket/v1');

/** The bytes of a ticket for its device's signature. */
export function ticketBytes(groupId: string, ticket: Omit<Ticket, 'deviceId' | 'signature'>): Uint8Array {
  return concatBytes(
    LABEL,
    decodeBase64Url(groupId),
    addressBytes(ticket.address),
    encodeU64(decodeTime(ticket.issued)),
    encodeU64(decodeTime(ticket.expires)),
    addressBytes(ticket.by),
    encodeU32(ticket.list),
  );
}

/**
 * Signs a ticket for an address. It is dated after the last entry, so that no departure in the chain voids it.
 * @param signer its address, its device's key, and the number of its newest device list
 * @param now milliseconds since 1970
 * @param life in milliseconds, at most {@link MAX_TICKET_LIFE}
 */
export function signTicket(
  state: Pick<RosterState, 'groupId' | 'issued'>,
  signer: { address: string; deviceKey: PrivateKey; list: number },
  address: string,
  now: number,
  life: number = MAX_TICKET_LIFE,
): Ticket {
  const issued = Math.max(now, state.issued + 1);
  const fields = {
    address,
    issued: encodeTime(issued),
    expires: encodeTime(issued + life),
    by: signer.address,
    list: signer.list,
  };
  return {
    ...fields,
    deviceId: encodeBase64Url(deviceIdOf(signer.deviceKey.publicKey)),
    signature: encodeBase64Url(signEd25519(signer.deviceKey, ticketBytes(state.groupId, fields))),
  };
}

/**
 * The reason why a ticket does not admit an address at a time; null if it does.
 * @param at `issued` of the join, in milliseconds since 1970
 */
export function judgeTicket(
  state: Omit<RosterState, 'memberCount'>,
  ticket: Ticket,
  address: string,
  at: number,
  context: RosterContext,
): RosterEnd | null {
  const [issued, expires] = [decodeTime(ticket.issued), decodeTime(ticket.expires)];
  if (ticket.address !== address) return refuse('ticket_for_another');
  if (expires <= issued || expires - issued > MAX_TICKET_LIFE) return refuse('ticket_life');
  if (at < issued) return refuse('ticket_not_yet');
  if (at >= expires) return refuse('ticket_expired');
  if (issued <= voidUntil(state, address)) return refuse('ticket_void');
  if (!isCreatorOrAdmin(state, ticket.by)) return refuse('ticket_signer');
  return judgeSignature(state, ticket, at, context);
}

/** The time up to which issued tickets for this address are void, in milliseconds since 1970. */
function voidUntil(state: Omit<RosterState, 'memberCount'>, address: string): number {
  const uninvited = Object.hasOwn(state.uninvited, address) ? state.uninvited[address] : undefined;
  return Math.max(personOf(state, address)?.departed ?? -1, uninvited ?? -1, state.ticketsAfter);
}

/** The device must have been valid when the ticket was issued, and still be valid according to the chain. */
function judgeSignature(
  state: Omit<RosterState, 'memberCount'>,
  ticket: Ticket,
  at: number,
  context: RosterContext,
): RosterEnd | null {
  const device = findDevice(context, ticket.by, ticket.list, ticket.deviceId);
  if (!device) return refuse('ticket_device');
  if ('end' in device) return device;
  if (hasExpired(device, decodeTime(ticket.issued))) return refuse('ticket_device_expired');

  const highest = Math.max(ticket.list, personOf(state, ticket.by)?.list ?? 0);
  const current = findDevice(context, ticket.by, highest, ticket.deviceId);
  if (!current) return refuse('ticket_device');
  if ('end' in current) return current;
  if (hasExpired(current, at)) return refuse('ticket_device_expired');

  const [key, signature] = [decodeBase64Url(device.key), decodeBase64Url(ticket.signature)];
  const isVerified = verifyEd25519(key, ticketBytes(state.groupId, ticket), signature);
  return isVerified ? null : refuse('wrong_ticket_signature');
}
