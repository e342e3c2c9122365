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

/** The label of a device in a list: with the beginning of its id if another one has the same name. */
export function deviceLabel(device: OwnDevice, all: readonly OwnDevice[]): string {
  const name = deviceName(device);
  const isAlone = all.every((each) => each.id === device.id || deviceName(each) !== name);
  return isAlone ? name : t('settings.deviceWithId', { device: name, id: device.id.slice(0, 8) });
}
