/**
 * `invite`: a group that its creator or an admin lets the recipient join, by a ticket.
 */
import { z } from 'zod';
import { toLabel } from '../../../protocol/label.ts';
import { Name } from '../../../protocol/primitives.ts';
import { RelayOrigin } from '../../../protocol/relay-origin.ts';
import { Ticket } from '../../../protocol/roster/forms.ts';
import { GroupId } from '../fields.ts';
import { lookKind } from '../kind.ts';

export const InviteContent = z.looseObject({
  kind: z.literal('invite'),
  group: GroupId,
  /** What the inviter calls it. */
  name: Name,
  /** Opens the group for the recipient. */
  ticket: Ticket,
  /** Where the group is, if not at the relay that this came by. No app calls it before its person agreed to that host. */
  relay: RelayOrigin.optional(),
});
export type InviteContent = z.infer<typeof InviteContent>;

export const invite = lookKind({
  name: 'invite',
  channels: ['direct'],
  schema: InviteContent,
  summary: ({ group, name }) => `Invitation to ${toLabel(name) || group}`,
  fields: ({ group, name }) => ({ groupId: group, name: toLabel(name) || group }),
});

/** An invitation as it is sent, with what an app shows that does not know the kind. */
export function inviteTo(
  { groupId, name }: { groupId: string; name: string },
  ticket: Ticket,
): InviteContent & { fallback: string } {
  return {
    kind: 'invite',
    group: groupId,
    name,
    ticket,
    fallback: `You are invited to the group ${name}. Update Waxwing to join it.`,
  };
}
