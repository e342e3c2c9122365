import {
  concat,
  fromBase64url,
  hash64,
  isBase64url,
  sha256,
  textBytes,
  toBase64url,
  u32,
  u64,
} from './bytes.ts';
import { AHEAD_MS, DAY_MS, type DeviceList, deviceIn, hasEnded } from './device-list.ts';
import { addressBytes, idBytes, isFields, isNumber, isTime, msOf, timeOf } from './forms.ts';
import { isSigned, isX25519Key, type SigningKey } from './keys.ts';
import { must, reasonOf } from './refusal.ts';

/** A device's statement of the key to seal to (section 5). */
export interface SealKey {
  deviceId: string;
  key: string;
  pq: string | null;
  listSequence: number;
  sequence: number;
  notBefore: string;
  notAfter: string;
  signature: string;
}

const LIFE_MS = 45 * DAY_MS;
/** Validity of the statements that this client signs. */
const OWN_LIFE_MS = 30 * DAY_MS;
const NO_PQ = new Uint8Array(32);

export function isSealKey(value: unknown): value is SealKey {
  if (!isFields(value)) return false;
  const { deviceId, key, pq, listSequence, sequence, notBefore, notAfter, signature } = value;
  return (
    isBase64url(deviceId, 16) &&
    isBase64url(key, 32) &&
    (pq === null || isBase64url(pq, 32)) &&
    isNumber(listSequence) &&
    isNumber(sequence) &&
    isTime(notBefore) &&
    isTime(notAfter) &&
    isBase64url(signature, 64)
  );
}

/** The bytes signed by the device. */
export const statementBytes = (address: string, key: Omit<SealKey, 'signature'>): Uint8Array =>
  concat(
    textBytes('waxwing/sealkey/v2'),
    addressBytes(address),
    idBytes(key.deviceId),
    fromBase64url(key.key, 32),
    key.pq === null ? NO_PQ : fromBase64url(key.pq, 32),
    u32(key.listSequence),
    u32(key.sequence),
    u64(msOf(key.notBefore)),
    u64(msOf(key.notAfter)),
  );

/** The stored part of a statement. */
export const statementHash = (address: string, key: SealKey): string => hash64(statementBytes(address, key));

/** Refuses a statement that must not be used at `now` (milliseconds) with the certified `list`. */
export function mustBeUsable(address: string, list: DeviceList, key: SealKey, now: number): void {
  must(isSealKey(key), 'malformed', 'no seal key');
  const device = deviceIn(list, key.deviceId);
  must(device !== undefined, 'unknown_device');
  must(!hasEnded(device, now), 'device_expired');
  must(isX25519Key(fromBase64url(key.key, 32)), 'wrong_key', 'no X25519 public key');
  must(key.pq === null || fromBase64url(key.pq, 32).some((byte) => byte !== 0), 'wrong_key', 'pq is zero');
  const [begins, ends] = [msOf(key.notBefore), msOf(key.notAfter)];
  must(begins < ends && ends - begins <= LIFE_MS, 'wrong_life');
  must(begins - AHEAD_MS <= now && now < ends, 'not_in_force');
  const isRight = isSigned(
    fromBase64url(device.key, 32),
    fromBase64url(key.signature, 64),
    statementBytes(address, key),
  );
  must(isRight, 'wrong_signature');
}

export const isUsable = (address: string, list: DeviceList, key: SealKey, now: number): boolean =>
  reasonOf(() => mustBeUsable(address, list, key, now)) === null;

/** Fields of a statement chosen by its device; the others are derived. */
export interface NewStatement {
  key: Uint8Array;
  pqKey: Uint8Array | null;
  listSequence: number;
  sequence: number;
}

/** A statement of `device`, valid from now for 30 days. */
export function signSealKey(address: string, device: SigningKey, of: NewStatement, now: number): SealKey {
  const statement = {
    deviceId: device.id,
    key: toBase64url(of.key),
    pq: of.pqKey === null ? null : toBase64url(sha256(of.pqKey)),
    listSequence: of.listSequence,
    sequence: of.sequence,
    notBefore: timeOf(now),
    notAfter: timeOf(now + OWN_LIFE_MS),
  };
  return { ...statement, signature: device.sign(statementBytes(address, statement)) };
}

const PQ_BYTES = 1184;
const Q = 3329;

/** Reports whether these bytes are a valid ML-KEM-768 public key: each of its 768 coefficients is below q (FIPS 203, 7.2). */
export function isPqKey(key: Uint8Array): boolean {
  if (key.length !== PQ_BYTES) return false;
  for (let at = 0; at < PQ_BYTES - 32; at += 3) {
    const [a = 0, b = 0, c = 0] = key.subarray(at, at + 3);
    if ((a | ((b & 15) << 8)) >= Q || ((b >> 4) | (c << 4)) >= Q) return false;
  }
  return true;
}

/** Reports whether `key` is valid and matches the post-quantum digest of a statement. */
export const fitsDigest = (digest: string, key: Uint8Array): boolean =>
  isPqKey(key) && toBase64url(sha256(key)) === digest;
