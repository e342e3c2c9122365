import type { ContactDevice } from '../../bridge/shapes.ts';
import { t } from '../words.tsx';

/** What a certified device is called. */
export function deviceName({ type }: Pick<ContactDevice, 'type'>): string {
  return type === 'app' ? t('people.deviceApp') : t('people.deviceApi');
}
