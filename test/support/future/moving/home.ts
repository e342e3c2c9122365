/**
 * `home`: the statement of a device about the relay that its address is to be found at (docs/protocol.md, 'Moving').
 *
 *   signature = Ed25519 by the device over "waxwing/home/v1" || address(20) || deviceId(16) || list u32 || sequence u32
 *               || issued u64 || relay origin (UTF-8)
 */

import { z } from 'zod';
import { type PrivateKey, signEd25519, verifyEd25519 } from '../../../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../../../src/protocol/device-id.ts';
import type { Device, DeviceList } from '../../../../src/protocol/device-list.ts';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  encodeBase64Url,
  encodeTime,
  encodeU32,
  encodeU64,
  encodeUtf8,
} from '../../../../src/protocol/encoding.ts';
import { CLOCK_SKEW } from '../../../../src/protocol/figures.ts';
import { LAST_SEQUENCE } from '../../../../src/protocol/limits.ts';
import { Bytes, WireAddress, WireTime } from '../../../../src/protocol/primitives.ts';
import { RelayOrigin } from '../../../../src/protocol/relay-origin.ts';
import { addressBytes } from '../../../../src/protocol/wire-address.ts';

const LABEL = encodeUtf8('waxwing/home/v1');
const Sequence = z.number().int().min(1).max(LAST_SEQUENCE);

/** It travels from client to client, so fields that a newer version adds are dropped. */
export const Home = z
  .object({
    address: WireAddress,
    relay: RelayOrigin,
    sequence: Sequence.describe('Counts up for the address, from 1.'),
    issued: WireTime,
    deviceId: Bytes(16).describe('The device that signed.'),
    list: Sequence.describe('Number of the newest own device list that it knew.'),
    signature: Bytes(64).describe('Ed25519 by the device.'),
  })
  .meta({
    id: 'Home',
    description: 'At which relay an address is to be found, signed by one of its devices.',
  });
export type Home = z.infer<typeof Home>;

/** The bytes of a statement that its device signs. */
export function homeBytes(home: Omit<Home, 'signature'>): Uint8Array {
  return concatBytes(
    LABEL,
    addressBytes(home.address),
    decodeBase64Url(home.deviceId),
    encodeU32(home.list),
    encodeU32(home.sequence),
    encodeU64(decodeTime(home.issued)),
    encodeUtf8(home.relay),
  );
}

/**
 * Signs where an address is to be found.
 * @param issued milliseconds since 1970
 */
export function signHome(
  deviceKey: PrivateKey,
  { issued, ...fields }: { address: string; relay: string; sequence: number; list: number; issued: number },
): Home {
  const home = {
    ...fields,
    issued: encodeTime(issued),
    deviceId: encodeBase64Url(deviceIdOf(deviceKey.publicKey)),
  };
  return { ...home, signature: encodeBase64Url(signEd25519(deviceKey, homeBytes(home))) };
}

/** The reason why a statement does not count. */
export type HomeFault =
  /** It is dated more than five minutes ahead. */
  | 'future'
  /** It names another list than the one used for its verification. */
  | 'another_list'
  /** The list lacks its device, or the newest one does, or the device has expired. */
  | 'device'
  | 'signature';

/**
 * The reason why a statement does not count, or null if it does. A removed device cannot move an address,
 * regardless of the list that it names.
 * @param named the address's list with the number that the statement names, proven
 * @param newest the address's newest list that is known, proven
 * @param now milliseconds since 1970
 */
export function findHomeFault(
  home: Home,
  { named, newest }: { named: DeviceList; newest: DeviceList },
  now: number,
): HomeFault | null {
  if (decodeTime(home.issued) > now + CLOCK_SKEW) return 'future';
  if (named.sequence !== home.list) return 'another_list';
  const device = deviceIn(named, home);
  const current = deviceIn(newest, home);
  if (!device || !current || now >= decodeTime(current.validUntil)) return 'device';
  const isSigned = verifyEd25519(
    decodeBase64Url(device.key),
    homeBytes(home),
    decodeBase64Url(home.signature),
  );
  return isSigned ? null : 'signature';
}

function deviceIn({ devices }: DeviceList, { deviceId }: Home): Device | undefined {
  return devices.find((device) => device.deviceId === deviceId);
}

/**
 * Compares a valid statement with the known one of the same address: only a newer one is followed. Two
 * different statements with one number contradict each other, and the person decides.
 */
export function compareHomes(known: Home | null, shown: Home): 'newer' | 'same' | 'older' | 'contradicts' {
  if (!known || shown.sequence > known.sequence) return 'newer';
  if (shown.sequence < known.sequence) return 'older';
  return shown.relay === known.relay ? 'same' : 'contradicts';
}
