/**
 * Why the relay does not take an entry of a chain, or does not let a person read one: a sentence for each refusal.
 */
import type { PostRefusal } from '../../protocol/roster/post.ts';

export const ROSTER_REFUSALS = {
  malformed: () =>
    'This is no entry: its body is not JSON in the one form, it is too long, or a field has a wrong value.',
  wrong_group: () => 'The first entry of a group is the one that its id is the hash of.',
  misplaced_create: () => 'A group begins with a create, and has no other.',
  group_ended: () => 'This chain has as many entries as a group may have. Make a new group.',
  wrong_epoch: () => 'The epoch of the entry is not the next one.',
  wrong_previous: () => 'The entry follows another chain.',
  issued_too_early: () => 'The entry is issued before the last one.',
  issued_in_future: () => 'The entry is issued more than five minutes ahead of the relay’s clock.',
  issued_long_ago: () => 'The entry was issued more than ten minutes ago. Sign it again.',
  list_too_low: () => 'The entry names an older device list than the chain does for its signer.',
  list_not_newest: () =>
    'The entry or its ticket names a device list that is not published, or not the newest of the signer.',
  unknown_device: () => 'The device that signed is not in the device list that the entry names.',
  device_expired: () => 'The certificate of the device that signed had ended.',
  wrong_signature: () => 'The device that the entry names has not signed it.',
  unknown_kind: () => 'This relay does not know such an entry. A later version wrote it.',
  already_member: () => 'This address is a member already.',
  too_many_members: () => 'A group has at most 5,000 members.',
  too_many_joins: () => 'This address has joined five times in 24 hours. It may join again later.',
  ticket_needed: () =>
    'This address gets in by a ticket alone: it was removed, or the group has had many changes.',
  proof_needed: () =>
    'This group is not open. Joining takes a ticket, a link, or its password if it has one.',
  no_password: () => 'This group is not joined by a password.',
  wrong_password: () => 'The join was not signed with the key of the group’s password.',
  unknown_link: () => 'This link is not one of the group’s. Its owner may have withdrawn it.',
  link_expired: () => 'This link has expired.',
  wrong_link_signature: () => 'The key of the link has not signed this.',
  ticket_for_another: () => 'This ticket is for another address.',
  ticket_life: () => 'A ticket lasts at most 30 days, and ends after it begins.',
  ticket_not_yet: () => 'This ticket does not count yet.',
  ticket_expired: () => 'This ticket has expired.',
  ticket_void: () => 'This ticket was withdrawn, or the address has left or was removed since it was signed.',
  ticket_signer: () => 'Who signed this ticket is neither owner nor admin of the group now.',
  ticket_device: () => 'The device that signed the ticket is not in the device lists of its owner.',
  ticket_device_expired: () => 'The certificate of the device that signed the ticket had ended.',
  wrong_ticket_signature: () => 'The device that the ticket names has not signed it.',
  not_a_member: () => 'Who signed the entry is not a member of the group.',
  not_allowed: () => 'Who signed the entry may not change this. Ask the owner of the group.',
  remove_not_a_member: () => 'Only members can be removed.',
  remove_not_allowed: () => 'Nobody removes the owner, and the owner alone removes admins.',
  admin_not_a_member: () => 'Admins are members, and the owner is none of them.',
  wrong_creator: () => 'A group goes over to another member, and to nobody else.',
  bots_with_transfer: () => 'Bots and links end with the old owner. The new one sets them.',
  join_key_missing: () => 'A group that is joined by password needs the key of one.',
} as const satisfies Record<PostRefusal, () => string>;
