/**
 * `delete`: messages that are to be erased.
 */
import { z } from 'zod';
import { Ref } from '../fields.ts';

const MOST_TARGETS = 50;

export const DeleteContent = z.looseObject({
  kind: z.literal('delete'),
  targets: z.array(Ref).min(1).max(MOST_TARGETS),
});
export type DeleteContent = z.infer<typeof DeleteContent>;
