import { duration } from '../shared/time.ts';
import { t } from '../words.tsx';

const [HOUR, DAY, WEEK] = [3_600, 86_400, 604_800];

/** The offered lifetimes of messages, in seconds; 0 for never. */
export const timerChoices: readonly number[] = [0, 30, 300, HOUR, 8 * HOUR, DAY, WEEK, 4 * WEEK];

/** The name of a lifetime, also of one set by another app. */
export function timerName(seconds: number): string {
  return seconds === 0 ? t('chat.timerNone') : duration(seconds);
}
