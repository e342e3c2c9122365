/**
 * Seal keys: short-lived keys to which messages for a device are sealed, signed by the device. An X25519 key, and
 * beside it the digest of an ML-KEM-768 key, which is too long for each statement.
 */

import { z } from 'zod';
import { type PrivateKey, sha256, signEd25519, verifyEd25519 } from './crypto.ts';
import { deviceIdOf } from './device-id.ts';
import type { Device } from './device-list.ts';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  encodeBase64Url,
  encodeTime,
  encodeU32,
  encodeU64,
  encodeUtf8,
  equalBytes,
} from './encoding.ts';
import type { RecipientKey } from './envelope.ts';
import type { FaultOf } from './faults.ts';
import { CLOCK_SKEW } from './figures.ts';
import { isAcceptableMlKem } from './ml-kem/ml-kem.ts';
import { Bytes, WireTime } from './primitives.ts';
import { addressBytes } from './wire-address.ts';
import { isAcceptableX25519 } from './x25519-keys.ts';

const LABEL = encodeUtf8('waxwing/sealkey/v2');
/** Placeholder in the signed bytes for a missing post-quantum key; no digest is all zeros. */
const NO_POST_QUANTUM_KEY = new Uint8Array(32);
const DAY = 24 * 3_600_000;

/** The longest life of a seal key, in milliseconds. */
export const MAX_SEAL_KEY_LIFE = 45 * DAY;
/** The interval at which an online device makes a new one, in milliseconds. */
export const SEAL_KEY_ROTATION = DAY;

export const SealKey = z
  .strictObject({
    deviceId: Bytes(16).describe('Id of the device: 16 bytes in base64url.'),
    key: Bytes(32).describe('X25519 public key: 32 bytes in base64url.'),
    pq: Bytes(32)
      .nullable()
      .describe('SHA-256 of the device’s ML-KEM-768 public key, in base64url. Null if it has none.'),
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

/** The bytes of a statement for its device's signature. */
export function sealKeyBytes(address: string, statement: Omit<SealKey, 'signature'>): Uint8Array {
  return concatBytes(
    LABEL,
    addressBytes(address),
    decodeBase64Url(statement.deviceId),
    decodeBase64Url(statement.key),
    statement.pq === null ? NO_POST_QUANTUM_KEY : decodeBase64Url(statement.pq),
    encodeU32(statement.listSequence),
    encodeU32(statement.sequence),
    encodeU64(decodeTime(statement.notBefore)),
    encodeU64(decodeTime(statement.notAfter)),
  );
}

/** SHA-256 of the signed bytes, in base64url: distinguishes two statements with the same number. */
export function sealKeyHash(address: string, sealKey: SealKey): string {
  return encodeBase64Url(sha256(sealKeyBytes(address, sealKey)));
}

/** A statement of a device by its number and {@link sealKeyHash}. */
export interface SealKeyReference {
  sequence: number;
  hash: string;
}

/**
 * The order of a statement and the newest known one of its device. Only 'same' and 'newer' are accepted. An older
 * one would use a key again that should be deleted; after a fork, two statements with the same number, a third is
 * required.
 * @param seen null if none is known
 */
export function compareSealKeys(
  seen: SealKeyReference | null,
  shown: SealKeyReference,
): 'newer' | 'same' | 'older' | 'fork' {
  if (!seen || shown.sequence > seen.sequence) return 'newer';
  if (shown.sequence < seen.sequence) return 'older';
  return shown.hash === seen.hash ? 'same' : 'fork';
}

/** SHA-256 of an ML-KEM-768 public key, in base64url: `pq` of a statement. */
export function pqDigest(pqKey: Uint8Array): string {
  return encodeBase64Url(sha256(pqKey));
}

/** Reports whether a post-quantum key is the one in a statement, and acceptable. */
export function isPqKeyOf(digest: string, pqKey: Uint8Array): boolean {
  return pqDigest(pqKey) === digest && isAcceptableMlKem(pqKey);
}

/**
 * Signs a seal key with its device's key.
 * @param key X25519 public key, 32 bytes, or both halves of a hybrid one
 * @param numbers of the statement itself, and of the newest own device list
 * @param times milliseconds since 1970, at most {@link MAX_SEAL_KEY_LIFE} apart
 */
export function signSealKey(
  address: string,
  deviceKey: PrivateKey,
  key: RecipientKey,
  numbers: { sequence: number; listSequence: number },
  times: { notBefore: number; notAfter: number },
): SealKey {
  const statement = {
    deviceId: encodeBase64Url(deviceIdOf(deviceKey.publicKey)),
    key: encodeBase64Url('mlKem' in key ? key.x25519 : key),
    pq: 'mlKem' in key ? pqDigest(key.mlKem) : null,
    listSequence: numbers.listSequence,
    sequence: numbers.sequence,
    notBefore: encodeTime(times.notBefore),
    notAfter: encodeTime(times.notAfter),
  };
  const signature = signEd25519(deviceKey, sealKeyBytes(address, statement));
  return { ...statement, signature: encodeBase64Url(signature) };
}

/**
 * The reason why a seal key is unusable for a device at a time; null if usable.
 * @param now milliseconds since 1970
 */
export function findSealKeyFault(
  address: string,
  device: Device,
  sealKey: SealKey,
  now: number,
): FaultOf<'sealKey'> | null {
  const [notBefore, notAfter] = [decodeTime(sealKey.notBefore), decodeTime(sealKey.notAfter)];
  if (sealKey.deviceId !== device.deviceId) return 'other_device';
  if (!isAcceptableX25519(decodeBase64Url(sealKey.key))) return 'key_unusable';
  if (sealKey.pq !== null && equalBytes(decodeBase64Url(sealKey.pq), NO_POST_QUANTUM_KEY)) {
    return 'pq_digest_zero';
  }
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
