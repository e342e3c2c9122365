/**
 * What folding an entry can come to, beside a new state.
 */
import type { DeviceList } from '../device-list.ts';

/** Why an entry is refused, and with it the chain from there on. */
export type RosterRefusal =
  /** No body of the one form, too long, or a field that is known has a wrong value. */
  | 'malformed'
  /** The first entry is not the one that the group's id is the hash of. */
  | 'wrong_group'
  /** `create` stands at the beginning, and nowhere else. */
  | 'misplaced_create'
  /** The chain has as many entries as it may have. */
  | 'group_ended'
  /** The epoch is not the next one. */
  | 'wrong_epoch'
  /** It follows another chain: a fork. */
  | 'wrong_previous'
  /** Issued before the last entry. */
  | 'issued_too_early'
  /** A lower device list than the chain names for its signer. */
  | 'list_too_low'
  /** The device does not stand in the list. */
  | 'unknown_device'
  /** The device's certificate had ended. */
  | 'device_expired'
  | 'wrong_signature'
  | 'already_member'
  | 'too_many_members'
  | 'too_many_joins'
  /** After a removal, and in a chain of many entries, only a ticket serves. */
  | 'ticket_needed'
  /** The group is not open. */
  | 'proof_needed'
  /** Joining does not go by password. */
  | 'no_password'
  | 'wrong_password'
  | 'unknown_link'
  | 'link_expired'
  | 'wrong_link_signature'
  | 'ticket_for_another'
  | 'ticket_life'
  | 'ticket_not_yet'
  | 'ticket_expired'
  /** The address left, was removed or was uninvited since. */
  | 'ticket_void'
  /** Its signer is neither creator nor admin. */
  | 'ticket_signer'
  /** The device does not stand in the ticket's list, or not in the highest that the chain names. */
  | 'ticket_device'
  | 'ticket_device_expired'
  | 'wrong_ticket_signature'
  /** The signer is no member. */
  | 'not_a_member'
  /** The signer may not change this. */
  | 'not_allowed'
  /** Only members can be removed. */
  | 'remove_not_a_member'
  /** The signer and the creator cannot be removed, and admins only by the creator. */
  | 'remove_not_allowed'
  | 'admin_not_a_member'
  /** The group goes over to another member only. */
  | 'wrong_creator'
  /** Bots and links end with the old creator, so the same entry cannot set them. */
  | 'bots_with_transfer'
  /** There is no password yet. */
  | 'join_key_missing';

/** What keeps an entry from being judged yet. */
export type RosterWait =
  /** `issued` lies ahead: judge again from `until` on, in milliseconds since 1970. */
  | { end: 'wait'; for: 'clock'; until: number }
  /** A device list that was not proven yet. */
  | { end: 'wait'; for: 'list'; address: string; sequence: number };

/** Why folding ended before the last entry. `newer`: a later version wrote this entry; nothing may be sent meanwhile. */
export type RosterEnd = RosterWait | { end: 'newer' } | { end: 'refused'; reason: RosterRefusal };

/** What is needed to judge an entry beside the chain. */
export interface RosterContext {
  /** The clock, in milliseconds since 1970. */
  readonly now: number;
  /** A device list of an address that was proven by its wallet's signature; null if it is not there yet. */
  deviceList(address: string, sequence: number): Pick<DeviceList, 'devices'> | null;
}

export function refuse(reason: RosterRefusal): RosterEnd {
  return { end: 'refused', reason };
}
