/** Procedures of invite links, to a person or into a group. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { OwnLink, ReadInvite } from '../shapes/invite.ts';
import { Id } from '../shapes/values.ts';
import { nothing } from './inputs.ts';

const InviteText = z.string().max(longest.invite);

export const inviteProcedures = {
  /**
   * Reads an invite link in either form. Before set-up, too. Contacts only the person's own server, for the name of a
   * group that is unknown here, or the handle of a person.
   */
  'invites.read': { input: z.strictObject({ text: InviteText }), output: ReadInvite },
  /** Joins the group of a link, or opens the chat with its person. After the person has confirmed it. */
  'invites.accept': {
    input: z.strictObject({ text: InviteText }),
    output: z.strictObject({ conversationId: Id }),
  },
  /** Open invite links to the person, the newest first. */
  'invites.list': { input: nothing, output: z.strictObject({ links: z.array(OwnLink) }) },
  /** Makes an invite link to the person, with a code for an account if the server requires one and allows it. */
  'invites.create': { input: nothing, output: z.strictObject({ link: OwnLink }) },
  /** Ends a link: a message with it is a request again. */
  'invites.cancel': { input: z.strictObject({ id: z.string().max(64) }), output: nothing },
} as const;
