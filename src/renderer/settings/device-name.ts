import type { OwnDevice } from '../../bridge/shapes.ts';
import { t } from '../words.tsx';

/** What a device of one's own is called in a list. */
export function deviceName({ isThis, type }: OwnDevice): string {
  if (isThis) return t('settings.deviceThis');
  return type === 'app' ? t('settings.deviceOther') : t('settings.deviceApi');
}
