/**
 * What a relay says of itself to anybody.
 */
import { z } from 'zod';

export const RelayInfo = z
  .object({
    name: z.string(),
    apiVersion: z.string(),
  })
  .meta({ id: 'RelayInfo' });
export type RelayInfo = z.infer<typeof RelayInfo>;
