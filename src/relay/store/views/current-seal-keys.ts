/** The seal keys of an address that can be used for sealing now. */
import { decodeTime } from '../../../protocol/encoding.ts';
import type { SealKey } from '../../../protocol/seal-key.ts';
import type { PublishedDevices } from '../records.ts';

/** Keys in force, of devices that are still valid, in the order of the device list. */
export function currentSealKeys({ deviceList, sealKeys }: PublishedDevices, now: number): SealKey[] {
  const validUntil = new Map(
    deviceList.devices.map((device) => [device.deviceId, decodeTime(device.validUntil)]),
  );
  return sealKeys.filter(
    (sealKey) => now < decodeTime(sealKey.notAfter) && now < (validUntil.get(sealKey.deviceId) ?? 0),
  );
}
