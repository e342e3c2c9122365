/**
 * The directory, distrusted: what a relay says about an address counts only as far as its wallet signed it.
 */
import { native } from '../protocol/crypto/native.ts';
import { type DeviceList, deviceListHash, findDeviceListProblem } from '../protocol/device-list.ts';
import { findSealKeyProblem, type SealKey } from '../protocol/seal-key.ts';
import { UnverifiableError } from './errors.ts';

/** What an address has certified: its devices, and their seal keys that may be used now. */
export interface ProvenKeys {
  deviceList: DeviceList;
  sealKeys: SealKey[];
}

/**
 * Proves what the relay shows of an address against its wallet's signature and the newest list seen before.
 * @param published null if the relay shows nothing
 * @param pinned the list with the highest sequence seen so far; null if none was seen
 * @param now milliseconds since 1970
 * @returns null if there is nothing and never was
 * @throws UnverifiableError
 */
export function proveKeys(
  address: string,
  published: ProvenKeys | null,
  pinned: DeviceList | null,
  now: number,
): ProvenKeys | null {
  if (!published) {
    if (pinned) throw unverifiable('no device list at all, though it had one before');
    return null;
  }
  const { deviceList } = published;
  const problem =
    findDeviceListProblem(native, address, deviceList, now) ?? findPinProblem(address, pinned, deviceList);
  if (problem !== null) throw unverifiable(problem);
  const devices = new Map(deviceList.devices.map((device) => [device.deviceId, device]));
  const sealKeys = published.sealKeys.filter((sealKey) => {
    const device = devices.get(sealKey.deviceId);
    return device !== undefined && findSealKeyProblem(native, address, device, sealKey, now) === null;
  });
  return { deviceList, sealKeys };
}

/** Never back, and no other list with the same number. */
function findPinProblem(address: string, pinned: DeviceList | null, list: DeviceList): string | null {
  if (!pinned) return null;
  const pinnedHash = deviceListHash(native, address, pinned);
  if (list.sequence < pinned.sequence) return 'an older device list than before';
  if (list.sequence === pinned.sequence && deviceListHash(native, address, list) !== pinnedHash) {
    return 'two different device lists with the same number';
  }
  if (list.sequence === pinned.sequence + 1 && list.previous !== pinnedHash) {
    return 'a device list that does not follow the one before';
  }
  return null;
}

function unverifiable(what: string): UnverifiableError {
  return new UnverifiableError(
    `The relay's keys for this person do not prove themselves: it showed ${what}. Nothing is sent to them.`,
  );
}
