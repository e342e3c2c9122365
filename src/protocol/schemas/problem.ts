/**
 * Problem responses as a client reads them.
 */
import { z } from 'zod';

export const Problem = z
  .object({
    type: z.string().describe('A URN that ends in the code.'),
    title: z.string(),
    status: z.number().int(),
    code: z.string().describe('Stable: decide by this. A newer relay may have more.'),
    reason: z
      .string()
      .optional()
      .describe('Finer than the code, and stable, too. A newer relay may have more: then the code counts.'),
    detail: z.string().describe('A sentence for the person who reads the log.'),
    errors: z
      .array(
        z.object({
          path: z.string().describe('The field, as in `envelopes.3.nonce`.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('The fields that are wrong.'),
    requestId: z.string().describe('The same as the header `x-request-id`: name it to the relay’s operator.'),
  })
  .meta({ id: 'Problem', description: 'Why a call was refused (RFC 9457).' });
export type Problem = z.infer<typeof Problem>;
