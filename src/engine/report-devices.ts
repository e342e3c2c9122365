import type { Context } from './context.ts';

/** Emits that the person's own devices changed, and once for each device added elsewhere that it is new. */
export function reportDevices({ emit, ownDevices }: Pick<Context, 'emit' | 'ownDevices'>): void {
  emit('devices.changed', { isNew: ownDevices.takeNew() });
}
