/**
 * Problem responses as a client reads them.
 */
import { z } from 'zod';

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** One of the catalogue's codes; a newer relay may have more. */
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string(),
});
export type Problem = z.infer<typeof Problem>;
