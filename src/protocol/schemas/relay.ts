/** Public facts about a relay. */
import { z } from 'zod';
import { Registration } from './accounts.ts';

export const RelayInfo = z
  .object({
    name: z.string(),
    apiVersion: z.string(),
    registration: Registration,
  })
  .meta({ id: 'RelayInfo' });
export type RelayInfo = z.infer<typeof RelayInfo>;
