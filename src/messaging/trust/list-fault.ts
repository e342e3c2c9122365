/**
 * Checks of device lists. The entries of a group and the answers about its members contain the same lists: the signature of each is
 * verified once.
 */
import { BoundedMap } from '../../protocol/bounded-map.ts';
import { type DeviceList, deviceListHash, findDeviceListFault } from '../../protocol/device-list.ts';

/** Number of remembered lists without a fault, about 200 bytes each. */
const MAX_VALID = 2_000;

const valid = new BoundedMap<string, true>(MAX_VALID);

/**
 * The reason why a list is invalid for an address; null if valid. The hash of its text and the signature identify the whole list.
 * @param now milliseconds since 1970
 */
export function findListFault(
  address: string,
  list: DeviceList,
  now: number,
): ReturnType<typeof findDeviceListFault> {
  const name = `${address} ${deviceListHash(address, list)} ${list.signature}`;
  if (valid.get(name)) return null;
  const fault = findDeviceListFault(address, list, now);
  if (fault === null) valid.set(name, true);
  return fault;
}
