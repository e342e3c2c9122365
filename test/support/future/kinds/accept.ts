/**
 * `accept`: the sender has accepted the recipient's first message.
 */
import { z } from 'zod';

export const AcceptContent = z.looseObject({ kind: z.literal('accept') });
export type AcceptContent = z.infer<typeof AcceptContent>;
