/** `invite`: an invitation to a group by its creator or an admin, with a ticket. */
import { z } from 'zod';
import { CONTENT_FALLBACKS, CONTENT_SUMMARIES } from '../../../base/content-sentences.ts';
import { toLabel } from '../../../protocol/label.ts';
import { Name } from '../../../protocol/primitives.ts';
import { RelayOrigin } from '../../../protocol/relay-origin.ts';
import { Ticket } from '../../../protocol/roster/forms.ts';
import { GroupId } from '../fields.ts';
import { viewKind } from '../kind.ts';

export const InviteContent = z.looseObject({
  kind: z.literal('invite'),
  group: GroupId,
  /** The group's name for the inviter. */
  name: Name,
  /** Admits the recipient to the group. */
  ticket: Ticket,
  /**
   * The group's relay, if it is another than this one. An app calls it only after its person agreed to that
   * host.
   */
  relay: RelayOrigin.optional(),
});
export type InviteContent = z.infer<typeof InviteContent>;

export const invite = viewKind({
  name: 'invite',
  channels: ['direct'],
  schema: InviteContent,
  textField: null,
  editable: false,
  unsigned: false,
  summary: (content) => CONTENT_SUMMARIES.invite({ group: labelOf(content) }),
  fields: (content) => ({ groupId: content.group, name: labelOf(content) }),
});

function labelOf({ group, name }: InviteContent): string {
  return toLabel(name) || group;
}

/** An invitation to send, with a text for apps that do not know the kind. */
export function inviteTo(
  { groupId, name }: { groupId: string; name: string },
  ticket: Ticket,
): InviteContent & { fallback: string } {
  return {
    kind: 'invite',
    group: groupId,
    name,
    ticket,
    fallback: CONTENT_FALLBACKS.invite({ group: name }),
  };
}
