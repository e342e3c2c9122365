/**
 * Public directory data: handles, and the devices and keys of an address.
 */
import { z } from 'zod';
import { Device, DeviceList } from '../device-list.ts';
import { DIRECTORY_PAGE } from '../limits.ts';
import { SealKey } from '../seal-key.ts';
import { Bytes, Cursor, Key, QueryFlag, QueryInteger, WireAddress, WireTime } from './primitives.ts';

export const Handle = z
  .string()
  .regex(/^[a-z][a-z0-9_]{2,31}$/, 'must be 3 to 32 of a-z, 0-9 and _, and begin with a letter');

/** A handle in a path. A leading @ is tolerated. */
export const HandleParams = z.strictObject({ handle: z.string().regex(/^@?[a-z][a-z0-9_]{2,31}$/) });

export const HandleRecord = z.object({
  handle: z.string(),
  address: WireAddress,
  displayName: z.string().nullable(),
  verified: z.boolean(),
  createdAt: WireTime,
});
export type HandleRecord = z.infer<typeof HandleRecord>;

/** Three characters or more also find handles that have them in the middle. A leading @ is tolerated. */
export const HandleSearch = z.strictObject({
  q: z.string().regex(/^@?[a-z0-9_]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and _'),
  verified: QueryFlag.optional(),
  limit: QueryInteger(1, DIRECTORY_PAGE.most).optional(),
  cursor: Cursor.optional(),
});

export const HandlePage = z.object({ handles: z.array(HandleRecord), nextCursor: Cursor.nullable() });
export type HandlePage = z.infer<typeof HandlePage>;

/** A device list as a relay publishes it: fields that a newer version adds are dropped. */
export const PublishedDeviceList = z.object({
  ...DeviceList.shape,
  devices: z.array(z.object(Device.shape)).min(1),
});
export const PublishedSealKey = z.object(SealKey.shape);

/** All that a sender needs. Only seal keys in force are named; the order is that of the device list. */
export const AddressKeys = z.object({
  address: WireAddress,
  /** The X25519 keys to seal to, one for each device. */
  deviceKeys: z.array(Key),
  deviceList: PublishedDeviceList,
  /** The devices' statements about these keys, in the same order. */
  sealKeys: z.array(PublishedSealKey),
  /** The public handle of the address, as the relay vouches for it: who a first contact is from. */
  profile: HandleRecord.nullish(),
});
export type AddressKeys = z.infer<typeof AddressKeys>;

export const AddressParams = z.strictObject({ address: WireAddress });

/** Every device that is new in the list brings its seal key; others may. */
export const DevicesRequest = z.strictObject({
  deviceList: DeviceList,
  sealKeys: z.array(SealKey).max(16),
});

export const DeviceParams = z.strictObject({ deviceId: Bytes(16) });
export const SealKeyRequest = z.strictObject({ sealKey: SealKey });
