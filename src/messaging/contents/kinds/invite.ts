/**
 * `invite`: a group that its creator lets the recipient join.
 */
import { z } from 'zod';
import { toLabel } from '../../../protocol/label.ts';
import { OpaqueId, Text } from '../../../protocol/primitives.ts';
import { RelayOrigin } from '../../../protocol/relay-origin.ts';
import { Ticket } from '../../../protocol/roster/forms.ts';
import { GroupId } from '../fields.ts';
import { lookKind } from '../kind.ts';
import { cutToBytes } from '../text.ts';

/** The longest name of a group inside an invitation, in bytes of UTF-8. */
const MOST_NAME_BYTES = 80;

export const InviteContent = z.looseObject({
  kind: z.literal('invite'),
  group: OpaqueId,
  /** What the inviter calls it. */
  name: Text(MOST_NAME_BYTES),
});
export type InviteContent = z.infer<typeof InviteContent>;

/** The same into a group with a roster, which the ticket opens. */
export const TicketInviteContent = z.looseObject({
  kind: z.literal('invite'),
  group: GroupId,
  name: Text(MOST_NAME_BYTES),
  ticket: Ticket,
  /** Where the group is, if not at the relay that this came by. No app calls it before its person agreed to that host. */
  relay: RelayOrigin.optional(),
});
export type TicketInviteContent = z.infer<typeof TicketInviteContent>;

export const invite = lookKind({
  name: 'invite',
  channels: ['direct'],
  schema: InviteContent,
  summary: ({ group, name }) => `Invitation to ${toLabel(name) || group}`,
  fields: ({ group, name }) => ({ groupId: group, name: toLabel(name) || group }),
});

/** An invitation as it is sent, with what an app shows that does not know the kind. */
export function inviteTo(group: { groupId: string; name: string }): InviteContent & { fallback: string } {
  const name = cutToBytes(group.name, MOST_NAME_BYTES);
  return {
    kind: 'invite',
    group: group.groupId,
    name,
    fallback: `You are invited to the group ${name}. Update Waxwing to join it.`,
  };
}
