/**
 * Linking another computer without handing over the wallet (docs/protocol.md, 'Linking a device'): the new computer shows a
 * code that commits to its key, the old one has the wallet sign a device list with it, and offers that list.
 */
import { z } from 'zod';
import {
  type DeviceList,
  deviceIdOf,
  findDeviceListFault,
  followsDeviceList,
  ListReference,
  listReferenceOf,
} from '../device-list.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url } from '../encoding.ts';
import { Bytes, Name, WireAddress } from '../primitives.ts';

/** How long a new computer waits at the relay, in milliseconds. */
export const LINK_LIFE = 10 * 60_000;

/** What a new computer leaves at the relay under its deviceId. The name is what it says of itself, and proves nothing. */
export const NewDevice = z.strictObject({ key: Bytes(32), name: Name });
export type NewDevice = z.infer<typeof NewDevice>;

/** What the old computer answers: as whom to join, and by which list. */
export const LinkOffer = z.strictObject({ address: WireAddress, list: ListReference });
export type LinkOffer = z.infer<typeof LinkOffer>;

/**
 * Whether what waits under a code has the key that the code commits to. A relay that shows another key is refused here.
 * @param coded the 16 bytes of the code that the person gave
 */
export function isDeviceOfCode(coded: Uint8Array, { key }: NewDevice): boolean {
  return encodeBase64Url(deviceIdOf(decodeBase64Url(key))) === encodeBase64Url(coded);
}

/** Why a new computer does not join by what it is shown. */
export type OfferFault =
  /** There is no list, or the first one is not the list that was offered. */
  | 'another_list'
  /** A list does not follow the one before it. */
  | 'gap'
  /** The newest list does not prove itself for the address that was offered. */
  | 'unproven'
  /** A list lacks this computer's key, or no longer lets it in. */
  | 'without_this_device';

/**
 * Why a new computer does not join an account, or null if it may. The newest list is proven by its signature, and commits to
 * those before it.
 * @param offer that the person agreed to
 * @param key the new computer's own Ed25519 public key, 32 bytes
 * @param lists of that address, from the one that was offered to the newest, ascending
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
  return lists.every((list) => holds(list, key, now)) ? null : 'without_this_device';
}

function holds({ devices }: DeviceList, key: Uint8Array, now: number): boolean {
  const text = encodeBase64Url(key);
  return devices.some((device) => device.key === text && now < decodeTime(device.validUntil));
}
