/** Procedures of invite links, to a person or into a group. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { ReadInvite } from '../shapes/invite.ts';
import { Id } from '../shapes/values.ts';

const InviteText = z.string().max(longest.invite);

export const inviteProcedures = {
  /**
   * Reads an invite link in either form. Before set-up, too. Contacts only the person's own server, for the name of a
   * group that is unknown here.
   */
  'invites.read': { input: z.strictObject({ text: InviteText }), output: ReadInvite },
  /** Joins the group of a link, or opens the chat with its person. After the person has confirmed it. */
  'invites.accept': {
    input: z.strictObject({ text: InviteText }),
    output: z.strictObject({ conversationId: Id }),
  },
} as const;
