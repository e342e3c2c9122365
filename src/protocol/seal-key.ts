/**
 * Seal keys: the X25519 key that messages to a device are sealed to, signed by the device, short-lived.
 */

import { z } from 'zod';
import { addressBytes } from './address.ts';
import { type PrivateKey, signEd25519, verifyEd25519 } from './crypto.ts';
import { CLOCK_SKEW, type Device, deviceIdOf } from './device-list.ts';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  encodeBase64Url,
  encodeTime,
  encodeU32,
  encodeU64,
  encodeUtf8,
} from './encoding.ts';
import { FIELD_FAULTS, type SealKeyFault } from './faults.ts';
import { Bytes, WireTime } from './primitives.ts';
import { isAcceptableX25519 } from './x25519-keys.ts';

const LABEL = encodeUtf8('waxwing/sealkey/v2');
/** What is signed where a statement has no digest of a post-quantum key; no digest is all zeros. */
const NO_POST_QUANTUM_KEY = new Uint8Array(32);
const DAY = 24 * 3_600_000;

/** The longest life of a seal key, in milliseconds. */
export const MAX_SEAL_KEY_LIFE = 45 * DAY;
/** How often an online device makes a new one, in milliseconds. */
export const SEAL_KEY_ROTATION = DAY;

/** How long a relay takes copies for the key before, from when a device made its next one, in milliseconds. */
export const PREVIOUS_KEY_WINDOW = 15 * 60_000;

export const SealKey = z
  .strictObject({
    deviceId: Bytes(16).describe('Id of the device: 16 bytes in base64url.'),
    key: Bytes(32).describe('X25519 public key: 32 bytes in base64url.'),
    pq: z.null(FIELD_FAULTS.null()).describe('Reserved for a post-quantum key.'),
    listSequence: z
      .number()
      .int()
      .min(1)
      .max(0xffff_ffff)
      .describe('Number of the newest own device list that the device knew when it signed.'),
    sequence: z.number().int().min(1).max(0xffff_ffff).describe('Counts up for the device, from 1.'),
    notBefore: WireTime,
    notAfter: WireTime.describe('At most 45 days after `notBefore`.'),
    signature: Bytes(64).describe('Ed25519 by the device: 64 bytes in base64url.'),
  })
  .meta({ id: 'SealKey', description: 'A device’s statement about its seal key, signed by the device.' });
export type SealKey = z.infer<typeof SealKey>;

/** The bytes of a statement that its device signs; their SHA-256 tells two statements of one number apart. */
export function sealKeyBytes(address: string, statement: Omit<SealKey, 'signature'>): Uint8Array {
  return concatBytes(
    LABEL,
    addressBytes(address),
    decodeBase64Url(statement.deviceId),
    decodeBase64Url(statement.key),
    NO_POST_QUANTUM_KEY,
    encodeU32(statement.listSequence),
    encodeU32(statement.sequence),
    encodeU64(decodeTime(statement.notBefore)),
    encodeU64(decodeTime(statement.notAfter)),
  );
}

/**
 * Signs a seal key with its device's key.
 * @param key X25519 public key, 32 bytes
 * @param numbers of the statement itself, and of the newest own device list
 * @param times milliseconds since 1970, at most {@link MAX_SEAL_KEY_LIFE} apart
 */
export function signSealKey(
  address: string,
  deviceKey: PrivateKey,
  key: Uint8Array,
  numbers: { sequence: number; listSequence: number },
  times: { notBefore: number; notAfter: number },
): SealKey {
  const statement = {
    deviceId: encodeBase64Url(deviceIdOf(deviceKey.publicKey)),
    key: encodeBase64Url(key),
    pq: null,
    listSequence: numbers.listSequence,
    sequence: numbers.sequence,
    notBefore: encodeTime(times.notBefore),
    notAfter: encodeTime(times.notAfter),
  };
  const signature = signEd25519(deviceKey, sealKeyBytes(address, statement));
  return { ...statement, signature: encodeBase64Url(signature) };
}

/**
 * Why a seal key may not be used for a device at a time, or null if it may.
 * @param now milliseconds since 1970
 */
export function findSealKeyFault(
  address: string,
  device: Device,
  sealKey: SealKey,
  now: number,
): SealKeyFault | null {
  const [notBefore, notAfter] = [decodeTime(sealKey.notBefore), decodeTime(sealKey.notAfter)];
  if (sealKey.deviceId !== device.deviceId) return 'other_device';
  if (!isAcceptableX25519(decodeBase64Url(sealKey.key))) return 'key_unusable';
  if (notAfter <= notBefore || notAfter - notBefore > MAX_SEAL_KEY_LIFE) {
    return 'life_long';
  }
  if (now + CLOCK_SKEW < notBefore) return 'too_early';
  if (now >= notAfter) return 'expired';
  if (now >= decodeTime(device.validUntil)) return 'device_expired';
  const signature = decodeBase64Url(sealKey.signature);
  if (!verifyEd25519(decodeBase64Url(device.key), sealKeyBytes(address, sealKey), signature)) {
    return 'signature_wrong';
  }
  return null;
}
