import { duration } from '../shared/time.ts';
import { t } from '../words.tsx';

const [HOUR, DAY, WEEK] = [3_600, 86_400, 604_800];

/** After how many seconds messages can be set to disappear; 0 for never. */
export const timerChoices: readonly number[] = [0, 30, 300, HOUR, 8 * HOUR, DAY, WEEK, 4 * WEEK];

/** What a timer is called, also one that another app has set. */
export function timerName(seconds: number): string {
  return seconds === 0 ? t('chat.timerNone') : duration(seconds);
}
