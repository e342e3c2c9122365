import type { Muted } from '../../bridge/shapes/values.ts';
import { t } from '../words.tsx';

const HOUR = 3_600_000;

/** The mute durations. */
export const muteChoices: readonly { label: string; until: (now: number) => Muted }[] = [
  { label: t('chat.muteHour'), until: (now) => now + HOUR },
  { label: t('chat.muteHours'), until: (now) => now + 8 * HOUR },
  { label: t('chat.muteAlways'), until: () => 'always' },
];
