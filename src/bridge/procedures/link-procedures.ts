/** Procedures of links in messages. */

import { z } from 'zod';
import { PageOfLink } from '../shapes/link-preview.ts';
import { Message } from '../shapes/message.ts';
import { Id } from '../shapes/values.ts';
import { Count } from './inputs.ts';

export const linkProcedures = {
  /**
   * Fetches the description of a public https page, for a preview in a message of this person; null for none. Cancels the
   * previous call. The host refuses it unless the setting `linkPreviews` is on.
   */
  'links.preview': {
    input: z.strictObject({ url: z.string().min(1).max(2_048) }),
    output: z.strictObject({ page: PageOfLink.nullable() }),
  },
  /** Links in messages of a conversation, newest first, with their messages. None of a message request. */
  'links.list': {
    input: z.strictObject({
      conversationId: Id,
      /** The last one of the page before. */
      before: z.strictObject({ messageId: Id, place: Count }).optional(),
      limit: z.number().int().min(1).max(100),
    }),
    output: z.strictObject({
      links: z.array(z.strictObject({ messageId: Id, place: Count, href: z.string() })),
      messages: z.array(Message),
      hasOlder: z.boolean(),
    }),
  },
} as const;
