/** The reference of a body to the newest roster entry that its sender knows (docs/protocol.md, 'Rosters'). */
import { z } from 'zod';
import { LAST_SEQUENCE } from '../limits.ts';
import { Bytes } from '../primitives.ts';

export const RosterReference = z.looseObject({
  epoch: z.number().int().min(1).max(LAST_SEQUENCE),
  /** SHA-256 of the entry's body. */
  hash: Bytes(32),
});
export type RosterReference = z.infer<typeof RosterReference>;
