/**
 * Linking another computer without moving the wallet (docs/protocol.md, 'Linking a device'). The new computer shows a
 * code that commits to its key. The old computer's wallet signs a device list with it, and offers that list.
 */
import { z } from 'zod';
import { deviceIdOf } from '../device-id.ts';
import {
  type DeviceList,
  findDeviceListFault,
  followsDeviceList,
  ListReference,
  listReferenceOf,
} from '../device-list.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url } from '../encoding.ts';
import { Bytes, Name, WireAddress } from '../primitives.ts';

/** The time for which a new computer waits at the relay, in milliseconds. */
export const LINK_LIFE = 10 * 60_000;

/** The request of a new computer at the relay, under its deviceId. The name is its own unproven claim. */
export const NewDevice = z.strictObject({ key: Bytes(32), name: Name });
export type NewDevice = z.infer<typeof NewDevice>;

/** The answer of the old computer: the address to join, and the list. */
export const LinkOffer = z.strictObject({ address: WireAddress, list: ListReference });
export type LinkOffer = z.infer<typeof LinkOffer>;

/**
 * Reports whether a waiting device has the key to which its code commits. Refuses a relay that shows another key.
 * @param coded the 16 bytes of the code that the person entered
 */
export function isDeviceOfCode(coded: Uint8Array, { key }: NewDevice): boolean {
  return encodeBase64Url(deviceIdOf(decodeBase64Url(key))) === encodeBase64Url(coded);
}

/** The reason why a new computer does not join. */
export type OfferFault =
  /** There is no list, or the first one differs from the offered one. */
  | 'another_list'
  /** A list does not follow the one before it. */
  | 'gap'
  /** The newest list is not valid for the offered address. */
  | 'unproven'
  /** A list lacks this computer's key, or revokes it. */
  | 'without_this_device';

/**
 * The reason why a new computer does not join an account; null if it may. The newest list is proven by its signature,
 * and commits to those before it.
 * @param offer accepted by the person
 * @param key the new computer's own Ed25519 public key, 32 bytes
 * @param lists of that address, from the offered one to the newest, ascending
 * @param now milliseconds since 1970
 */
export function findOfferFault(
  { address, list: offered }: LinkOffer,
  key: Uint8Array,
  lists: readonly DeviceList[],
  now: number,
): OfferFault | null {
  const [first, newest] = [lists[0], lists.at(-1)];
  if (!first || !newest) return 'another_list';
  const { sequence, hash } = listReferenceOf(address, first);
  if (sequence !== offered.sequence || hash !== offered.hash) return 'another_list';
  for (const [index, list] of lists.entries()) {
    const before = lists[index - 1];
    if (before && !followsDeviceList(address, before, list)) return 'gap';
  }
  if (findDeviceListFault(address, newest, now) !== null) return 'unproven';
  return lists.every((list) => hasDevice(list, key, now)) ? null : 'without_this_device';
}

function hasDevice({ devices }: DeviceList, key: Uint8Array, now: number): boolean {
  const text = encodeBase64Url(key);
  return devices.some((device) => device.key === text && now < decodeTime(device.validUntil));
}
