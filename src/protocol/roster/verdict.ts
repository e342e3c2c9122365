/** Outcomes of folding an entry, beside a new state. */
import type { DeviceList } from '../device-list.ts';

/** Reason for refusing an entry, and the chain from there on. */
export type RosterRefusal =
  /** Not in the one valid form, too long, or an invalid known field. */
  | 'malformed'
  /** The hash of the first entry is not the group's id. */
  | 'wrong_group'
  /** `create` is only valid at the beginning. */
  | 'misplaced_create'
  /** The chain has reached its limit of entries. */
  | 'group_ended'
  /** The epoch is not the next one. */
  | 'wrong_epoch'
  /** It follows another chain: a fork. */
  | 'wrong_previous'
  /** Issued before the last entry. */
  | 'issued_too_early'
  /** A lower device list than the chain names for its signer. */
  | 'list_too_low'
  /** The device is missing from the list. */
  | 'unknown_device'
  /** The device's certificate had ended. */
  | 'device_expired'
  | 'wrong_signature'
  | 'already_member'
  | 'too_many_members'
  | 'too_many_joins'
  /** After a removal, and in a chain of many entries, a ticket is required. */
  | 'ticket_needed'
  /** The group is not open. */
  | 'proof_needed'
  /** Joining by password is disabled. */
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
  /** The device is missing from the ticket's list, or from the highest in the chain. */
  | 'ticket_device'
  | 'ticket_device_expired'
  | 'wrong_ticket_signature'
  /** The signer is not a member. */
  | 'not_a_member'
  /** The signer may not change this. */
  | 'not_allowed'
  /** Only members can be removed. */
  | 'remove_not_a_member'
  /** The signer and the creator cannot be removed, and admins only by the creator. */
  | 'remove_not_allowed'
  | 'admin_not_a_member'
  /** Only another member can become the creator. */
  | 'wrong_creator'
  /** Bots and links end with the old creator, so the same entry cannot set them. */
  | 'bots_with_transfer'
  /** There is no password yet. */
  | 'join_key_missing';

/** Reason for waiting before an entry can be judged. */
export type RosterWait =
  /** `issued` lies ahead: judge again from `until` on, in milliseconds since 1970. */
  | { end: 'wait'; for: 'clock'; until: number }
  /** A device list without a proof yet. */
  | { end: 'wait'; for: 'list'; address: string; sequence: number };

/**
 * Reason for stopping before the last entry. `newer`: a later version wrote this entry; sending stops
 * meanwhile.
 */
export type RosterEnd = RosterWait | { end: 'newer' } | { end: 'refused'; reason: RosterRefusal };

/** Context for judging an entry beside the chain. */
export interface RosterContext {
  /** The clock, in milliseconds since 1970. */
  readonly now: number;
  /** A proven device list of an address; null if it is missing. */
  deviceList(address: string, sequence: number): Pick<DeviceList, 'devices'> | null;
}

export function refuse(reason: RosterRefusal): RosterEnd {
  return { end: 'refused', reason };
}
