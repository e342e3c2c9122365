import { fromBase64url, hash64, isBase64url, textBytes } from './bytes.ts';
import { areDistinct, isFields, isListOf, isNumber, isTime, type ListName, msOf, timeOf } from './forms.ts';
import { idOfKey } from './keys.ts';
import { must, Refusal } from './refusal.ts';
import { checksumAddress, mustBeSignedByWallet, type Wallet } from './wallet.ts';

/** A device that a wallet certifies (section 5). */
export interface Device {
  deviceId: string;
  key: string;
  type: 'app' | 'api';
  validUntil: string;
}

/** A device list on the wire. */
export interface DeviceList {
  sequence: number;
  previous: string | null;
  issued: string;
  unsigned: 'api'[];
  devices: Device[];
  signature: string;
}

export const DAY_MS = 86_400_000;
/** Limit of the date of a list, entry or statement ahead of the clock. */
export const AHEAD_MS = 5 * 60_000;
const LIFE_MS = 400 * DAY_MS;

function isDevice(value: unknown): value is Device {
  if (!isFields(value)) return false;
  const { deviceId, key, type, validUntil } = value;
  return (
    isBase64url(deviceId, 16) &&
    isBase64url(key, 32) &&
    (type === 'app' || type === 'api') &&
    isTime(validUntil)
  );
}

const isApi = (value: unknown): value is 'api' => value === 'api';

/** Reports whether a value has the form of a device list. Other fields are ignored. */
export function isDeviceList(value: unknown): value is DeviceList {
  if (!isFields(value)) return false;
  const { sequence, previous, issued, unsigned, devices, signature } = value;
  return (
    isNumber(sequence) &&
    (previous === null || isBase64url(previous, 32)) &&
    isTime(issued) &&
    isListOf(unsigned, 0, 1, isApi) &&
    isListOf(devices, 1, 16, isDevice) &&
    typeof signature === 'string' &&
    /^0x[0-9a-f]{130}$/.test(signature)
  );
}

export function readDeviceList(value: unknown): DeviceList {
  must(isDeviceList(value), 'malformed', 'no device list');
  return value;
}

/** The text that the wallet signs: lines of devices in ASCII order of their ids. */
export function listText(address: string, list: Omit<DeviceList, 'signature'>): string {
  const lines = list.devices
    .toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
    .map(({ deviceId, key, type, validUntil }) => `Device: ${deviceId} ${key} ${type} ${validUntil}`);
  return [
    'Waxwing device list v1',
    'Sign only inside Waxwing. This lets the devices below read and send your messages.',
    `Address: ${checksumAddress(address)}`,
    `Sequence: ${list.sequence}`,
    `Previous: ${list.previous ?? 'none'}`,
    `Issued: ${list.issued}`,
    `Unsigned: ${list.unsigned.length === 0 ? 'none' : 'api'}`,
    ...lines,
  ].join('\n');
}

/** The value of `previous` in the next list. */
export const listHash = (address: string, list: DeviceList): string =>
  hash64(textBytes(listText(address, list)));

export const nameOfList = (address: string, list: DeviceList): ListName => ({
  sequence: list.sequence,
  hash: listHash(address, list),
});

/** Proven lists: verifying a signature is expensive, and its result never changes. */
const proven = new Set<string>();
const PROVEN_MOST = 10_000;

/** Refuses a list that is invalid at `now` (milliseconds): `wrong_list`, `wrong_signature` or `malformed`. */
export async function proveList(address: string, list: DeviceList, now: number): Promise<void> {
  must(isDeviceList(list), 'malformed', 'no device list');
  const issued = msOf(list.issued);
  must(issued <= now + AHEAD_MS, 'wrong_list', 'dated ahead');
  must(
    (list.sequence === 1) === (list.previous === null),
    'wrong_list',
    'only the first has no previous one',
  );
  must(areDistinct(list.devices.map(({ deviceId }) => deviceId)), 'wrong_list', 'a device twice');
  for (const { deviceId, key, validUntil } of list.devices) {
    must(idOfKey(fromBase64url(key, 32)) === deviceId, 'wrong_list', 'an id is not the hash of its key');
    must(msOf(validUntil) <= issued + LIFE_MS, 'wrong_list', 'a device is valid for too long');
  }
  const text = listText(address, list);
  const seen = `${hash64(textBytes(text))} ${list.signature}`;
  if (proven.has(seen)) return;
  await mustBeSignedByWallet(address, text, list.signature);
  if (proven.size >= PROVEN_MOST) proven.clear();
  proven.add(seen);
}

export async function isProven(address: string, list: DeviceList, now: number): Promise<boolean> {
  try {
    await proveList(address, list, now);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The device of a list, if present. */
export const deviceIn = (list: DeviceList | null | undefined, deviceId: string): Device | undefined =>
  list?.devices.find((device) => device.deviceId === deviceId);

/** Reports whether the device's certificate had expired at `at`, in milliseconds. */
export const hasEnded = (device: Device, at: number): boolean => at >= msOf(device.validUntil);

/** Contents of a list without its position in the chain. */
export type ListContent = Pick<DeviceList, 'issued' | 'unsigned' | 'devices'>;

/** Signs the list after `before` (null for the first), with any contents. */
export async function signList(
  wallet: Wallet,
  before: DeviceList | null,
  content: ListContent,
): Promise<DeviceList> {
  const list = {
    sequence: (before?.sequence ?? 0) + 1,
    previous: before === null ? null : listHash(wallet.address, before),
    ...content,
  };
  return { ...list, signature: await wallet.sign(listText(wallet.address, list)) };
}

/** Contents of a new list; the rest follows from the previous list. */
export interface NextList {
  devices: { key: string; type?: 'app' | 'api'; validUntil?: string }[];
  unsigned?: 'api'[];
}

/** The list after `before` (null for the first), signed by the wallet. Devices last a year by default. */
export function signNextList(
  wallet: Wallet,
  before: DeviceList | null,
  next: NextList,
  now: number,
): Promise<DeviceList> {
  return signList(wallet, before, {
    issued: timeOf(now),
    unsigned: next.unsigned ?? before?.unsigned ?? [],
    devices: next.devices.map(({ key, type, validUntil }) => ({
      deviceId: idOfKey(fromBase64url(key, 32)),
      key,
      type: type ?? ('app' as const),
      validUntil: validUntil ?? timeOf(now + 365 * DAY_MS),
    })),
  });
}
