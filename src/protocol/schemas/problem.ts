/**
 * Problem responses as a client reads them.
 */
import { z } from 'zod';

export const Problem = z
  .object({
    type: z.string().describe('A URN that ends with the code.'),
    title: z.string(),
    status: z.number().int(),
    code: z.string().describe('Stable: base decisions on it. A newer relay may have more codes.'),
    reason: z
      .string()
      .optional()
      .describe('More specific than the code, and also stable. For an unknown reason use the code.'),
    detail: z.string().describe('A sentence for the log.'),
    errors: z
      .array(
        z.object({
          path: z.string().describe('The path of the field, such as `envelopes.3.nonce`.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('The invalid fields.'),
    requestId: z
      .string()
      .describe('The value of the header `x-request-id`. Include it in questions to the operator.'),
  })
  .meta({ id: 'Problem', description: 'The reason for a refused call (RFC 9457).' });
export type Problem = z.infer<typeof Problem>;
