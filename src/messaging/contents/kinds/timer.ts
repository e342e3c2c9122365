/** `timer`: the lifetime of new messages in a direct conversation. Groups have it in their roster. */
import { z } from 'zod';
import { Timer } from '../../../protocol/roster/forms.ts';
import { findControlProblem } from '../control-rights.ts';
import { controlKind } from '../kind.ts';

export const TimerContent = z.looseObject({
  kind: z.literal('timer'),
  /** 0 for never. */
  seconds: Timer,
});
export type TimerContent = z.infer<typeof TimerContent>;

export const timer = controlKind({
  name: 'timer',
  channels: ['direct'],
  schema: TimerContent,
  apply({ kind, seconds }, { authorship, version }, store) {
    if (findControlProblem(kind, authorship, store.place, null) !== null) return 'nothing';
    return store.setTimer(seconds, version) ? 'changed' : 'nothing';
  },
});
