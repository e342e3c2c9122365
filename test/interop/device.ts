/**
 * Devices and what vouches for them, protocol §5: the wallet signs the list, each device signs its seal key.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { getAddress, type Hex, type LocalAccount, recoverMessageAddress } from 'viem';
import {
  addressBytes,
  base64url,
  concat,
  fromBase64url,
  sha256,
  u32,
  u64Milliseconds,
  utf8,
} from './bytes.ts';
import { isBase64url, isRecord, isSequence, isTime } from './forms.ts';
import { generateSealKeyPair, isUsableKey, type SealKeyPair } from './sealing.ts';

const DAY = 86_400_000;
/** How far another clock may be ahead. */
const SKEW = 5 * 60_000;
/** What is signed where there is no post-quantum key. */
const NO_DIGEST = base64url(new Uint8Array(32));
const HALF_THE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

export interface ListedDevice {
  deviceId: string;
  key: string;
  type: 'app' | 'api';
  validUntil: string;
}

export interface DeviceList {
  sequence: number;
  previous: string | null;
  issued: string;
  unsigned: 'api'[];
  devices: ListedDevice[];
  signature: Hex;
}

export interface SealKey {
  deviceId: string;
  key: string;
  /** Digest of the ML-KEM key; null for a device that has none. */
  pq: string | null;
  listSequence: number;
  sequence: number;
  notBefore: string;
  notAfter: string;
  signature: string;
}

/** A device with its private keys. */
export interface Device {
  listed: ListedDevice;
  signingKey: KeyObject;
  sealKeys: SealKeyPair;
  /** Whether it offers its ML-KEM key. */
  postQuantum: boolean;
  /** The pairs before, newest first: copies for them may still come. */
  earlierSealKeys: SealKeyPair[];
}

/** A new device with an Ed25519 key and a seal key. @param postQuantum whether it offers the ML-KEM half of that */
export async function createDevice(type: 'app' | 'api', postQuantum = true): Promise<Device> {
  const pair = generateKeyPairSync('ed25519');
  const key = String(pair.publicKey.export({ format: 'jwk' }).x);
  const deviceId = base64url(sha256(fromBase64url(key)).subarray(0, 16));
  const validUntil = new Date(Date.now() + 365 * DAY).toISOString();
  const listed = { deviceId, key, type, validUntil };
  const sealKeys = await generateSealKeyPair();
  return { listed, signingKey: pair.privateKey, sealKeys, postQuantum, earlierSealKeys: [] };
}

/** The text that the wallet signs. */
export function deviceListText(address: string, list: Omit<DeviceList, 'signature'>): string {
  const devices = list.devices.toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
  return [
    'Waxwing device list v1',
    'Sign only inside Waxwing. This lets the devices below read and send your messages.',
    `Address: ${getAddress(address)}`,
    `Sequence: ${list.sequence}`,
    `Previous: ${list.previous ?? 'none'}`,
    `Issued: ${list.issued}`,
    `Unsigned: ${list.unsigned.join(',') || 'none'}`,
    ...devices.map(
      ({ deviceId, key, type, validUntil }) => `Device: ${deviceId} ${key} ${type} ${validUntil}`,
    ),
  ].join('\n');
}

/** The list that follows another, or the first one, signed by the wallet. */
export async function signDeviceList(
  account: LocalAccount,
  previous: DeviceList | null,
  content: Pick<DeviceList, 'unsigned' | 'devices'> & { issued?: string },
): Promise<DeviceList> {
  const list = {
    sequence: (previous?.sequence ?? 0) + 1,
    previous: previous && hashOfList(account.address, previous),
    issued: new Date().toISOString(),
    ...content,
  };
  const signature = await account.signMessage({ message: deviceListText(account.address, list) });
  return { ...list, signature };
}

/** A list as a signed message names it. */
export function referenceTo(address: string, list: DeviceList): { sequence: number; hash: string } {
  return { sequence: list.sequence, hash: hashOfList(address, list) };
}

/** The hash by which the next list, claims and pins name a list. */
export function hashOfList(address: string, list: Omit<DeviceList, 'signature'>): string {
  return base64url(sha256(utf8(deviceListText(address, list))));
}

/** Whether a value has the form of a device list; who signed it is another matter. */
export function isDeviceList(value: unknown): value is DeviceList {
  if (!isRecord(value) || !isSequence(value.sequence) || !isTime(value.issued)) return false;
  if (value.previous !== null && !isBase64url(value.previous, 32)) return false;
  if (!['[]', '["api"]'].includes(JSON.stringify(value.unsigned))) return false;
  const { devices, signature } = value;
  if (typeof signature !== 'string' || !/^0x[0-9a-f]{130}$/.test(signature)) return false;
  return Array.isArray(devices) && devices.length >= 1 && devices.length <= 16 && devices.every(isListed);
}

function isListed(value: unknown): boolean {
  if (!isRecord(value) || !isBase64url(value.deviceId, 16) || !isBase64url(value.key, 32)) return false;
  return (value.type === 'app' || value.type === 'api') && isTime(value.validUntil);
}

/** @throws Error when a list does not prove itself as one of the address */
export async function verifyDeviceList(address: string, list: DeviceList, now = Date.now()): Promise<void> {
  if (!isDeviceList(list)) throw new Error('not a device list');
  const { signature } = list;
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_THE_ORDER) throw new Error('not a low-s signature');
  const signer = await recoverMessageAddress({ message: deviceListText(address, list), signature });
  if (signer !== getAddress(address)) throw new Error('someone else signed this device list');
  if (Date.parse(list.issued) > now + SKEW) throw new Error('a device list from the future');
  if ((list.previous === null) !== (list.sequence === 1))
    throw new Error('only the first has no previous list');
  for (const { deviceId, key } of list.devices) {
    const expected = base64url(sha256(fromBase64url(key)).subarray(0, 16));
    if (deviceId !== expected) throw new Error("a device's id is not the hash of its key");
  }
  const latest = Date.parse(list.issued) + 400 * DAY;
  if (list.devices.some(({ validUntil }) => Date.parse(validUntil) > latest))
    throw new Error('a device is valid for too long');
  const ids = new Set(list.devices.map(({ deviceId }) => deviceId));
  if (ids.size !== list.devices.length) throw new Error('a device is twice in the list');
}

/** The device's word that a seal key is its own, for 30 days. */
export function signSealKey(
  address: string,
  device: Device,
  sequence: number,
  listSequence: number,
  now = Date.now(),
): SealKey {
  const statement = {
    deviceId: device.listed.deviceId,
    key: device.sealKeys.publicKey,
    pq: device.postQuantum ? base64url(sha256(fromBase64url(device.sealKeys.pqKey))) : null,
    listSequence,
    sequence,
    notBefore: new Date(now).toISOString(),
    notAfter: new Date(now + 30 * DAY).toISOString(),
  };
  const signature = sign(null, sealKeyBytes(address, statement), device.signingKey);
  return { ...statement, signature: base64url(signature) };
}

/** Whether a listed device vouches for a seal key and it may be used now. */
export function isSealKeyGood(
  address: string,
  list: DeviceList,
  sealKey: SealKey,
  now = Date.now(),
): boolean {
  const device = list.devices.find(({ deviceId }) => deviceId === sealKey.deviceId);
  if (!device || Date.parse(device.validUntil) <= now || sealKey.pq === NO_DIGEST) return false;
  const from = Date.parse(sealKey.notBefore);
  const until = Date.parse(sealKey.notAfter);
  if (from > now + SKEW || until <= now || until <= from || until - from > 45 * DAY) return false;
  if (!isUsableKey(fromBase64url(sealKey.key))) return false;
  return isSignedBy(device, sealKeyBytes(address, sealKey), fromBase64url(sealKey.signature));
}

/** SHA-256 of what a device signs of its seal key. */
export function hashOfSealKey(address: string, sealKey: SealKey): string {
  return base64url(sha256(sealKeyBytes(address, sealKey)));
}

/** Whether the Ed25519 key of a device, or of a bot, signed these bytes. */
export function isSignedBy(device: { key: string }, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: device.key }, format: 'jwk' });
  return verify(null, bytes, key, signature);
}

/** What the device signs of its seal key. */
export function sealKeyBytes(address: string, statement: Omit<SealKey, 'signature'>): Uint8Array {
  return concat(
    utf8('waxwing/sealkey/v2'),
    addressBytes(address),
    fromBase64url(statement.deviceId),
    fromBase64url(statement.key),
    fromBase64url(statement.pq ?? NO_DIGEST),
    u32(statement.listSequence),
    u32(statement.sequence),
    u64Milliseconds(statement.notBefore),
    u64Milliseconds(statement.notAfter),
  );
}
