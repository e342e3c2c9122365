import type { ContactDevice } from '../../bridge/shapes/contact.ts';
import { t } from '../words.tsx';

/** The name of a certified device. */
export function deviceName({ type }: Pick<ContactDevice, 'type'>): string {
  return type === 'app' ? t('people.deviceApp') : t('people.deviceApi');
}
