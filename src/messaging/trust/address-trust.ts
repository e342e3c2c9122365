/**
 * What is remembered of one address: the newest device list that its wallet signed, the lists before it, the newest
 * seal key of each device, and what signed words say of lists that the relay has not shown. Plain data that goes into
 * JSON; app and library store it, each in its own way.
 *
 * Bounded: a list has at most 16 devices; of the lists before it the last {@link MOST_EARLIER} are remembered, and the
 * last {@link MOST_REJECTED} that the person decided against.
 */
import { z } from 'zod';
import { sha256 } from '../../protocol/crypto.ts';
import { type DeviceList, deviceListHash, ListReference } from '../../protocol/device-list.ts';
import { decodeTime, encodeBase64Url } from '../../protocol/encoding.ts';
import { Bytes } from '../../protocol/primitives.ts';
import { PublishedDeviceList } from '../../protocol/schemas/directory.ts';
import { type SealKey, sealKeyBytes } from '../../protocol/seal-key.ts';

/** How many lists before the pinned one are remembered by number and hash. */
export const MOST_EARLIER = 64;
/** How many lists that the person decided against are remembered. */
export const MOST_REJECTED = 16;

/** A device's word that there is a list with this number. Messages also say its hash, seal keys do not. */
const Claim = z.strictObject({ sequence: ListReference.shape.sequence, hash: Bytes(32).nullable() });
export type Claim = z.infer<typeof Claim>;

const SeenSealKey = z.strictObject({
  sequence: z.number().int().min(1),
  /** Of what was signed. */
  hash: Bytes(32),
  /** Milliseconds since 1970. */
  notBefore: z.number(),
});

export const AddressTrust = z.strictObject({
  /** The newest list that was proven: it is pinned, and never goes back. Null if none was seen yet. */
  list: PublishedDeviceList.nullable(),
  /** The lists before it, oldest first. */
  earlier: z.array(ListReference).max(MOST_EARLIER),
  /** The newest seal key seen of each device, by device id. */
  sealKeys: z.record(z.string(), SeenSealKey),
  /** What devices of the pinned list said of their newest list, by device id. */
  claims: z.record(z.string(), Claim),
  /** Hash of the list that the relay showed last, of those that the wallet signed; null if it shows none. */
  shown: Bytes(32).nullable(),
  /** Another list that the wallet signed, which contradicts the pinned one. Nothing is sealed until the person chooses. */
  fork: PublishedDeviceList.nullable(),
  /** Lists that the person decided against. They contradict nothing any more, and are never taken. */
  rejected: z.array(ListReference).max(MOST_REJECTED),
});
export type AddressTrust = z.infer<typeof AddressTrust>;

/** Of an address that was never seen. */
export const NOTHING_KNOWN: AddressTrust = {
  list: null,
  earlier: [],
  sealKeys: {},
  claims: {},
  shown: null,
  fork: null,
  rejected: [],
};

/** SHA-256 of a list's text, base64url. */
export function hashOf(address: string, list: DeviceList): string {
  return deviceListHash(address, list);
}

/** SHA-256 of what a device signed about its seal key, base64url. */
function sealKeyHash(address: string, sealKey: SealKey): string {
  return encodeBase64Url(sha256(sealKeyBytes(address, sealKey)));
}

/** The hash of the list with a number, if it is the pinned one or remembered before it. */
export function knownHash(address: string, trust: AddressTrust, sequence: number): string | null {
  if (trust.list?.sequence === sequence) return hashOf(address, trust.list);
  return trust.earlier.find((reference) => reference.sequence === sequence)?.hash ?? null;
}

/**
 * Pins a list that was proven to follow the pinned one. What devices said that it leaves out is forgotten.
 * @param between the lists after the pinned one and before it, ascending
 */
export function pinned(
  address: string,
  before: AddressTrust,
  list: DeviceList,
  between: readonly DeviceList[],
): AddressTrust {
  const passed = [...(before.list ? [before.list] : []), ...between];
  const references = passed.map((each) => ({ sequence: each.sequence, hash: hashOf(address, each) }));
  const ids = new Set(list.devices.map(({ deviceId }) => deviceId));
  const ofListed = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([deviceId]) => ids.has(deviceId)));
  return {
    ...before,
    list,
    earlier: [...before.earlier, ...references].slice(-MOST_EARLIER),
    sealKeys: ofListed(before.sealKeys),
    claims: ofListed(before.claims),
  };
}

/** Notes what a device said of its newest list. What devices outside the pinned list say is dropped. */
export function withClaim(trust: AddressTrust, deviceId: string, claim: Claim): AddressTrust {
  if (!trust.list?.devices.some((device) => device.deviceId === deviceId)) return trust;
  const before = Object.hasOwn(trust.claims, deviceId) ? trust.claims[deviceId] : undefined;
  if (before && (before.sequence > claim.sequence || (before.sequence === claim.sequence && before.hash))) {
    return trust;
  }
  return { ...trust, claims: { ...trust.claims, [deviceId]: claim } };
}

/** Whether the person decided against a list. @param hash of its text, base64url */
export function isRejected(trust: AddressTrust, hash: string): boolean {
  return trust.rejected.some((reference) => reference.hash === hash);
}

/** Whether the pinned list is the one that the relay showed last. Also where there is none, and none is shown. */
export function isPinShown(address: string, { list, shown }: AddressTrust): boolean {
  return shown === (list && hashOf(address, list));
}

/** When the newest seal key of any device was made, in milliseconds since 1970; null if none was seen. */
export function newestSealKeyAt({ sealKeys }: AddressTrust): number | null {
  const times = Object.values(sealKeys).map(({ notBefore }) => notBefore);
  return times.length === 0 ? null : Math.max(...times);
}

/** What is remembered of a seal key. */
export function seenSealKey(address: string, sealKey: SealKey): AddressTrust['sealKeys'][string] {
  const { sequence, notBefore } = sealKey;
  return { sequence, hash: sealKeyHash(address, sealKey), notBefore: decodeTime(notBefore) };
}

/** Whether signed words speak of a list that the relay has not shown. */
export function hasOpenClaim(address: string, trust: AddressTrust): boolean {
  const newest = trust.list?.sequence ?? 0;
  return Object.values(trust.claims).some(({ sequence, hash }) => {
    if (hash !== null && isRejected(trust, hash)) return false;
    if (sequence > newest) return true;
    const known = knownHash(address, trust, sequence);
    return hash !== null && known !== null && known !== hash;
  });
}
