import type { OwnDevice } from '../../bridge/shapes.ts';

/** What a device of one's own is called in a list. */
export function deviceName({ isThis, type }: OwnDevice): string {
  if (isThis) return 'This device';
  return type === 'app' ? 'Another app' : 'A script or bot';
}
