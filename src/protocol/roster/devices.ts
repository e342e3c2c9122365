/** Signing devices of an address, by the lists that a chain names. */
import type { Device } from '../device-list.ts';
import { decodeTime } from '../encoding.ts';
import type { RosterContext, RosterWait } from './verdict.ts';

/** The device in the list with a number; null if it is missing there, a wait if that list is unproven. */
export function findDevice(
  context: RosterContext,
  address: string,
  sequence: number,
  deviceId: string,
): Device | RosterWait | null {
  const list = context.deviceList(address, sequence);
  if (!list) return { end: 'wait', for: 'list', address, sequence };
  return list.devices.find((device) => device.deviceId === deviceId) ?? null;
}

/** Reports whether a device's certificate had ended at a time, in milliseconds since 1970. */
export function hasExpired(device: Device, at: number): boolean {
  return at >= decodeTime(device.validUntil);
}
