/** Invitations of people to a group. */
import { Failure } from '../../base/failure.ts';
import { inviteTo } from '../../messaging/contents/kinds/invite.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { isCreatorOrAdmin, isMember } from '../../protocol/roster/state.ts';
import type { Contact } from '../cache/contacts.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { groupName } from '../views/conversations.ts';
import { compose } from './compose.ts';

/**
 * Sends people an invitation with a ticket. Members get none.
 * @param addresses wire addresses
 * @throws Failure 'roster_act_refused' without the right to invite, 'invited_no_device', 'invited_blocked'; the errors of reading
 * the group and the people
 */
export async function invite(
  parts: EngineParts,
  group: StoredGroup,
  addresses: readonly string[],
): Promise<void> {
  const { conversations, now } = parts.context;
  const online = requireOnline(parts);
  const { group: known } = await online.groups.known(group.groupId, 0);
  if (!isCreatorOrAdmin(known.state, online.account.address)) {
    throw new Failure('roster_act_refused', { reason: 'not_allowed' });
  }
  // All are checked before the first is sent: a corrected second try invites each person once.
  const people: Contact[] = [];
  for (const address of addresses) {
    const contact = await online.directory.contact(address);
    if (contact.sealKeys.length === 0) {
      throw new Failure('invited_no_device', { address: toChecksumAddress(address) });
    }
    if (conversations.stateWith(contact.address) === 'blocked') {
      throw new Failure('invited_blocked');
    }
    people.push(contact);
  }
  for (const { id, address } of people) {
    if (isMember(known.state, address)) continue;
    const ticket = await online.groups.ticketFor(group.groupId, address);
    const conversation = conversations.ensure(id, 'accepted', now());
    compose(parts, conversation, inviteTo({ groupId: group.groupId, name: groupName(group) }, ticket));
  }
}
