import type { OwnDevice } from '../../bridge/shapes.ts';
import { t } from '../words.tsx';

/** The label of a device of one's own in a list: the name that the person gave it, or its type. */
export function deviceName({ isThis, name, type }: OwnDevice): string {
  if (name !== null) return name;
  if (isThis) return t('settings.deviceThis');
  return type === 'app' ? t('settings.deviceOther') : t('settings.deviceApi');
}
