/**
 * Device lists: the wallet behind an address names the devices that may read and send for it (docs/protocol.md,
 * 'Devices'). Each side rebuilds the signed text from the fields and never parses it.
 */

import { z } from 'zod';
import { toChecksumAddress } from './address.ts';
import { sha256 } from './crypto.ts';
import { deviceIdOf } from './device-id.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url, encodeUtf8 } from './encoding.ts';
import type { FaultOf } from './faults.ts';
import { CLOCK_SKEW } from './figures.ts';
import { Bytes, WalletSignature, WireTime } from './primitives.ts';
import { recoverSigner, signText, type Wallet } from './wallet.ts';

const MAX_DEVICES = 16;
/**
 * The longest validity of a device after its list was issued, in milliseconds: access of a lost device ends by
 * itself.
 */
const LONGEST_DEVICE_LIFE = 400 * 24 * 3_600_000;

export const Device = z
  .strictObject({
    deviceId: Bytes(16).describe('First 16 bytes of SHA-256 of the key, in base64url.'),
    key: Bytes(32).describe('Ed25519 public key: 32 bytes in base64url.'),
    type: z
      .enum(['app', 'api'])
      .describe('`app` for the app of a person, `api` for a program. Shown to people; it grants nothing.'),
    validUntil: WireTime.describe(
      'From then on the device may not log in, be sealed to or sign. At most 400 days after the list’s `issued`.',
    ),
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

/** Kinds of unsigned messages that the owner can allow. Posts of bots are allowed by their group. */
export const UnsignedKind = z.enum(['api']);
export type UnsignedKind = z.infer<typeof UnsignedKind>;

const unsignedField = z.union([z.tuple([]), z.tuple([z.literal('api')])]);

export const DeviceList = z
  .strictObject({
    sequence: z.number().int().min(1).max(0xffff_ffff),
    previous: Bytes(32).nullable().describe('SHA-256 of the text before in base64url, null for the first.'),
    issued: WireTime,
    unsigned: unsignedField.describe(
      'The unsigned messages that the owner allows: `api` for those of programs that send with an API key alone, or none.',
    ),
    devices: z.array(Device).min(1).max(MAX_DEVICES),
    signature: WalletSignature,
  })
  .meta({ id: 'DeviceList', description: 'The devices of an address, signed by its wallet.' });
export type DeviceList = z.infer<typeof DeviceList>;
export type UnsignedDeviceList = Omit<DeviceList, 'signature'>;

/** The text that the wallet signs. LF between lines, none at the end; devices in ASCII order of their ids. */
export function deviceListText(address: string, list: UnsignedDeviceList): string {
  const devices = [...list.devices].sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
  return [
    'Waxwing device list v1',
    'Sign only inside Waxwing. This lets the devices below read and send your messages.',
    `Address: ${toChecksumAddress(address)}`,
    `Sequence: ${list.sequence}`,
    `Previous: ${list.previous ?? 'none'}`,
    `Issued: ${list.issued}`,
    `Unsigned: ${list.unsigned.join(',') || 'none'}`,
    ...devices.map(
      (device) => `Device: ${device.deviceId} ${device.key} ${device.type} ${device.validUntil}`,
    ),
  ].join('\n');
}

/** SHA-256 of a list's text in base64url: `previous` of the next list. */
export function deviceListHash(address: string, list: UnsignedDeviceList): string {
  return encodeBase64Url(sha256(encodeUtf8(deviceListText(address, list))));
}

/** A device list by its number and the SHA-256 of its text. */
export const ListReference = z.strictObject({
  sequence: z.number().int().min(1).max(0xffff_ffff),
  hash: Bytes(32),
});
export type ListReference = z.infer<typeof ListReference>;

/** The reference to a list in a signed body. */
export function listReferenceOf(address: string, list: UnsignedDeviceList): ListReference {
  return { sequence: list.sequence, hash: deviceListHash(address, list) };
}

/** Signs a list with the wallet of its address. */
export function signDeviceList(wallet: Wallet, list: UnsignedDeviceList): DeviceList {
  return { ...list, signature: signText(wallet, deviceListText(wallet.address, list)) };
}

/**
 * The reason why a list is invalid for an address at a time; null if valid. A valid list is signed by the address,
 * every id is the hash of its key and occurs once, no device is valid for too long, and the list was not issued in
 * the future.
 * @param now milliseconds since 1970
 */
export function findDeviceListFault(
  address: string,
  list: DeviceList,
  now: number,
): FaultOf<'deviceList'> | null {
  const ids = new Set(list.devices.map((device) => device.deviceId));
  if (ids.size !== list.devices.length) return 'device_twice';
  for (const device of list.devices) {
    const key = decodeBase64Url(device.key);
    if (encodeBase64Url(deviceIdOf(key)) !== device.deviceId) {
      return 'device_id_wrong';
    }
  }
  const latest = decodeTime(list.issued) + LONGEST_DEVICE_LIFE;
  if (list.devices.some((device) => decodeTime(device.validUntil) > latest)) {
    return 'device_life_long';
  }
  if ((list.sequence === 1) !== (list.previous === null)) return 'previous_wrong';
  if (decodeTime(list.issued) > now + CLOCK_SKEW) return 'issued_in_future';
  if (recoverSigner(deviceListText(address, list), list.signature) !== address) {
    return 'signature_wrong';
  }
  return null;
}

/** Reports whether a list directly follows another: it has the next sequence and names the other's text. */
export function followsDeviceList(
  address: string,
  before: UnsignedDeviceList | null,
  list: UnsignedDeviceList,
): boolean {
  if (!before) return list.sequence === 1 && list.previous === null;
  return list.sequence === before.sequence + 1 && list.previous === deviceListHash(address, before);
}
