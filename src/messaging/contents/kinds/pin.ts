/**
 * `pin`: a message that stands above a conversation, or no longer.
 */
import { z } from 'zod';
import { Ref } from '../fields.ts';

export const PinContent = z.looseObject({ kind: z.literal('pin'), target: Ref, pinned: z.boolean() });
export type PinContent = z.infer<typeof PinContent>;
