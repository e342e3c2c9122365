/**
 * Public directory data: handles, and the devices and keys of an address.
 */

import { z } from 'zod';
import { Device, DeviceList } from '../device-list.ts';
import { FIELD_FAULTS } from '../faults.ts';
import {
  HISTORY_PAGE,
  LAST_SEQUENCE,
  LIST_PAGE,
  MAX_HISTORY_LISTS,
  MAX_HISTORY_WANTS,
  MAX_PQ_KEYS,
} from '../limits.ts';
import { ML_KEM_PUBLIC_KEY_BYTES } from '../ml-kem/ml-kem.ts';
import {
  Bytes,
  Cursor,
  Key,
  QueryFlag,
  QueryInteger,
  SearchText,
  WireAddress,
  WireTime,
} from '../primitives.ts';
import { SealKey } from '../seal-key.ts';

export const Handle = z
  .string()
  .regex(/^[a-z][a-z0-9_]{2,31}$/, FIELD_FAULTS.handle())
  .describe('3 to 32 of a-z, 0-9 and _; the first is a letter.');

export const HandleParams = z.strictObject({
  handle: z
    .string()
    .regex(/^@?[a-z][a-z0-9_]{2,31}$/, FIELD_FAULTS.handle_or_at())
    .describe('With or without the leading @.'),
});

export const HandleRecord = z
  .object({
    handle: Handle,
    address: WireAddress,
    displayName: z.string().nullable(),
    verified: z
      .boolean()
      .describe('True if the operator of this relay has verified the owner of the handle.'),
    createdAt: WireTime,
  })
  .meta({ id: 'HandleRecord' });
export type HandleRecord = z.infer<typeof HandleRecord>;

export const HandleSearch = z.strictObject({
  q: SearchText.optional().describe(
    'The beginning of the handle; without it all public handles. Three or more characters are also found inside the handle, and without a leading @ at the beginning of each word of the display name.',
  ),
  verified: QueryFlag.optional().describe('`1`: only verified handles. `0`: only the others.'),
  limit: QueryInteger(1, LIST_PAGE.most)
    .optional()
    .describe(`Maximum number of entries, 1 to ${LIST_PAGE.most}. Default: ${LIST_PAGE.default}.`),
  cursor: Cursor.optional(),
});

export const HandlePage = z
  .object({
    handles: z.array(HandleRecord),
    nextCursor: Cursor.nullable().describe('The value of `cursor` for the next page; null on the last page.'),
  })
  .meta({ id: 'HandlePage' });
export type HandlePage = z.infer<typeof HandlePage>;

/** A device list as a relay publishes it: fields of newer versions are dropped. */
export const PublishedDeviceList = z
  .object({
    ...DeviceList.shape,
    devices: z.array(z.object(Device.shape)).min(1),
  })
  .meta({ id: 'PublishedDeviceList', description: 'The devices of an address, signed by its wallet.' });
export const PublishedSealKey = z.object(SealKey.shape).meta({
  id: 'PublishedSealKey',
  description: 'The statement of a device about its seal key, signed by the device.',
});

export const AddressKeys = z
  .object({
    address: WireAddress,
    deviceKeys: z
      .array(Key)
      .describe('The current X25519 seal keys, one for each device, in the order of the list.'),
    deviceList: PublishedDeviceList,
    sealKeys: z
      .array(PublishedSealKey)
      .describe('The statements of the devices about these keys, in the same order.'),
    profile: HandleRecord.nullish().describe('The public handle of the address, if it has one.'),
    deleted: z
      .literal(true)
      .optional()
      .describe(
        'The account was deleted at this relay and has no keys. A claim of the relay without a signature.',
      ),
  })
  .meta({ id: 'AddressKeys', description: 'The keys of an address and their proofs.' });
export type AddressKeys = z.infer<typeof AddressKeys>;

export const AddressParams = z.strictObject({ address: WireAddress });

const Sequence = z.number().int().min(0).max(LAST_SEQUENCE);

export const HistoryQuery = z.strictObject({
  after: QueryInteger(0, LAST_SEQUENCE)
    .optional()
    .describe('Only lists with a higher sequence. Default: all lists.'),
});

export const KeyHistory = z
  .object({
    address: WireAddress,
    lists: z
      .array(PublishedDeviceList)
      .describe(
        'In the order of their sequences. Empty if there are none, or if the response was already full.',
      ),
    more: z.boolean().describe('True if there are more lists after the last of these.'),
  })
  .meta({
    id: 'KeyHistory',
    description: `Device lists that an address has published, at most ${HISTORY_PAGE}.`,
  });
export type KeyHistory = z.infer<typeof KeyHistory>;

export const KeyHistoryWant = z.strictObject({
  address: WireAddress,
  after: Sequence.describe('Only lists with a higher sequence.'),
  upTo: Sequence.describe('The sequence of the last list.'),
});
export type KeyHistoryWant = z.infer<typeof KeyHistoryWant>;

export const HistoriesRequest = z
  .strictObject({ wants: z.array(KeyHistoryWant).min(1).max(MAX_HISTORY_WANTS) })
  .meta({ id: 'HistoriesRequest' });

export const KeyHistories = z
  .object({
    histories: z
      .array(KeyHistory)
      .describe(
        `One for each request, in the same order; together at most ${MAX_HISTORY_LISTS} lists. \`more\` is true for incomplete ones.`,
      ),
  })
  .meta({ id: 'KeyHistories' });
export type KeyHistories = z.infer<typeof KeyHistories>;

export const PqKey = Bytes(ML_KEM_PUBLIC_KEY_BYTES).meta({
  id: 'PqKey',
  description: 'An ML-KEM-768 public key: 1,184 bytes in base64url without padding.',
});

export const PqKeysRequest = z
  .strictObject({
    digests: z.array(Bytes(32)).min(1).max(MAX_PQ_KEYS).describe('The `pq` of seal keys.'),
  })
  .meta({ id: 'PqKeysRequest' });

export const PqKeys = z
  .object({
    keys: z.record(Bytes(32), PqKey).describe('By digest. Keys that no device has are left out.'),
  })
  .meta({ id: 'PqKeys' });
export type PqKeys = z.infer<typeof PqKeys>;

export const DevicesRequest = z
  .strictObject({
    deviceList: DeviceList,
    sealKeys: z
      .array(SealKey)
      .max(16)
      .describe(
        'Seal keys of devices in the list. A device without one has no queue until it publishes its own.',
      ),
    pqKeys: z
      .array(PqKey)
      .max(16)
      .optional()
      .describe(
        'The post-quantum keys for the digests in `pq` of the seal keys, except those that are already published.',
      ),
  })
  .meta({ id: 'DevicesRequest' });

export const DeviceParams = z.strictObject({
  deviceId: Bytes(16).describe('Id of the device: 16 bytes in base64url.'),
});
export const SealKeyRequest = z
  .strictObject({
    sealKey: SealKey,
    pqKey: PqKey.optional().describe('Required if the seal key has `pq`, unless it is already published.'),
  })
  .meta({ id: 'SealKeyRequest' });
