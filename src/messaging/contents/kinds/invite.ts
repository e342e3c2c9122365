/**
 * `invite`: a group that its creator lets the recipient join.
 */
import { z } from 'zod';
import { toLabel } from '../../../protocol/label.ts';
import { OpaqueId } from '../../../protocol/primitives.ts';
import { messageKind } from '../kind.ts';
import { cutToBytes, Text } from '../text.ts';

/** The longest name of a group inside an invitation, in bytes of UTF-8. */
const MOST_NAME_BYTES = 80;

export const InviteContent = z.looseObject({
  kind: z.literal('invite'),
  group: OpaqueId,
  /** What the inviter calls it. */
  name: Text(MOST_NAME_BYTES),
});
export type InviteContent = z.infer<typeof InviteContent>;

export const invite = messageKind({
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
