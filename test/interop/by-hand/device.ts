import { fromBase64url, toBase64url } from '../bytes.ts';
import { DAY_MS, type Device as ListedDevice } from '../device-list.ts';
import { timeOf } from '../forms.ts';
import { type SigningKey, signingKey } from '../keys.ts';
import { newSealSecret, type SealSecret } from '../seal.ts';
import { type SealKey, signSealKey } from '../seal-key.ts';

/** A device for which a test creates each statement, valid or not. */
export interface Device {
  listed: ListedDevice;
  key: SigningKey;
  sealKeys: SealPair;
  /** True if it publishes its ML-KEM key. */
  postQuantum: boolean;
  /** The previous pairs, newest first: copies for them may still arrive. */
  earlierSealKeys: SealPair[];
}

/** A seal key with its private half; the public halves in base64url. */
export interface SealPair {
  publicKey: string;
  pqKey: string;
  secret: SealSecret;
}

export async function newSealPair(): Promise<SealPair> {
  const secret = await newSealSecret();
  return {
    publicKey: toBase64url(secret.key),
    pqKey: toBase64url(secret.pqKey ?? new Uint8Array(0)),
    secret,
  };
}

/** A new device, not listed anywhere yet. @param postQuantum whether it offers the ML-KEM half of its seal key */
export async function createDevice(type: 'app' | 'api', postQuantum = true): Promise<Device> {
  const key = signingKey();
  const validUntil = timeOf(Date.now() + 365 * DAY_MS);
  const listed = { deviceId: key.id, key: key.key, type, validUntil };
  return { listed, key, sealKeys: await newSealPair(), postQuantum, earlierSealKeys: [] };
}

/** The device's signed statement of its seal key. `now` in milliseconds. */
export function statementOf(
  address: string,
  device: Device,
  sequence: number,
  listSequence: number,
  now = Date.now(),
): SealKey {
  const { publicKey, pqKey } = device.sealKeys;
  const key = fromBase64url(publicKey, 32);
  const halves = { key, pqKey: device.postQuantum ? fromBase64url(pqKey) : null };
  return signSealKey(address, device.key, { ...halves, sequence, listSequence }, now);
}
