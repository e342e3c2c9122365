import type { ContactDevice } from '../../bridge/shapes.ts';

/** What a certified device is called. */
export function deviceName({ type }: Pick<ContactDevice, 'type'>): string {
  return type === 'app' ? 'Waxwing app' : 'API device';
}
