/**
 * `timer`: after how long new messages of a direct conversation disappear. Groups have it in their roster.
 */
import { z } from 'zod';
import { Timer } from '../../../protocol/roster/forms.ts';

export const TimerContent = z.looseObject({
  kind: z.literal('timer'),
  /** 0 for never. */
  seconds: Timer,
});
export type TimerContent = z.infer<typeof TimerContent>;
