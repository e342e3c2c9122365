import type { OwnDevice } from '../../bridge/shapes/device.ts';
import { t } from '../words.tsx';

/** The label of an own device: the person's name for it, or its type. */
export function deviceName({
  isThis = false,
  name,
  type,
}: Pick<OwnDevice, 'name' | 'type'> & { isThis?: boolean }): string {
  if (name !== null) return name;
  if (isThis) return t('settings.deviceThis');
  return type === 'app' ? t('settings.deviceOther') : t('settings.deviceApi');
}
