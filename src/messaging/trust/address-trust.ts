/**
 * Stored knowledge about one address: the newest device list signed by its wallet, the lists before it, the
 * newest seal key of each device, and signed statements about lists that the relay has not shown. Plain data
 * for JSON, stored by app and library.
 *
 * Bounded: a list has at most 16 devices. The last {@link MAX_EARLIER} lists before it are remembered, and
 * the last {@link MAX_REJECTED} that the person rejected.
 */
import { z } from 'zod';
import {
  type DeviceList,
  deviceListHash,
  findDeviceListFault,
  followsDeviceList,
  ListReference,
} from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { Bytes } from '../../protocol/primitives.ts';
import { PublishedDeviceList } from '../../protocol/schemas/directory.ts';
import { type SealKey, sealKeyHash } from '../../protocol/seal-key.ts';

/** Number of lists before the pinned one, remembered by number and hash. */
export const MAX_EARLIER = 64;
/** Number of rejected lists that are remembered. */
export const MAX_REJECTED = 16;

/**
 * A device's statement that a list with this number exists. Messages also state its hash, seal keys do not.
 */
const Claim = z.strictObject({ sequence: ListReference.shape.sequence, hash: Bytes(32).nullable() });
export type Claim = z.infer<typeof Claim>;

const SeenSealKey = z.strictObject({
  sequence: z.number().int().min(1),
  /** Hash of the signed text. */
  hash: Bytes(32),
  /** Milliseconds since 1970. */
  notBefore: z.number(),
});

export const AddressTrust = z.strictObject({
  /** The newest proven list: pinned, and never rolled back. Null before the first. */
  list: PublishedDeviceList.nullable(),
  /** The lists before it, oldest first. */
  earlier: z.array(ListReference).max(MAX_EARLIER),
  /** The newest seal key seen of each device, by device id. */
  sealKeys: z.record(z.string(), SeenSealKey),
  /** Statements of devices on the pinned list about their newest list, by device id. */
  claims: z.record(z.string(), Claim),
  /** Hash of the last signed list shown by the relay; null for none. */
  shown: Bytes(32).nullable(),
  /** Another signed list, which contradicts the pinned one. Sealing stops until the person chooses. */
  fork: PublishedDeviceList.nullable(),
  /** Lists that the person rejected. They no longer contradict anything, and are never accepted. */
  rejected: z.array(ListReference).max(MAX_REJECTED),
});
export type AddressTrust = z.infer<typeof AddressTrust>;

/**
 * The part of the trust that proves itself, for histories and backups, into which a thief of a computer can write: an invented
 * statement about a newer list or seal key, or an invented rejection, would stop messages to the address for good.
 */
export const SignedTrust = AddressTrust.pick({ list: true, fork: true, shown: true });
type SignedTrust = z.infer<typeof SignedTrust>;

/** Trust of an unknown address. */
export const NOTHING_KNOWN: AddressTrust = {
  list: null,
  earlier: [],
  sealKeys: {},
  claims: {},
  shown: null,
  fork: null,
  rejected: [],
};

/** The part of the trust for a history. */
export const signedTrust = ({ list, fork, shown }: AddressTrust): SignedTrust => ({ list, fork, shown });

/**
 * The trust by the lists of a history. A fork counts only if the two lists prove it.
 * @param now milliseconds since 1970
 * @returns null if the wallet did not sign one of them, or if there is none
 */
export function provenTrust(
  address: string,
  { list, fork, shown }: SignedTrust,
  now: number,
): AddressTrust | null {
  const isSigned = (each: DeviceList | null) =>
    each === null || findDeviceListFault(address, each, now) === null;
  if (!list || !isSigned(list) || !isSigned(fork)) return null;
  return {
    ...NOTHING_KNOWN,
    list,
    fork: fork && contradicts(address, list, fork) ? fork : null,
    shown: shown === hashOf(address, list) ? shown : null,
  };
}

/**
 * Reports whether two lists prove a fork without those between them: the wallet signed every earlier list, too, and the person
 * could choose one.
 */
function contradicts(address: string, one: DeviceList, other: DeviceList): boolean {
  const [first, second] = one.sequence <= other.sequence ? [one, other] : [other, one];
  if (first.sequence === second.sequence) return hashOf(address, first) !== hashOf(address, second);
  return second.sequence === first.sequence + 1 && !followsDeviceList(address, first, second);
}

/** SHA-256 of a list's text, base64url. */
export function hashOf(address: string, list: DeviceList): string {
  return deviceListHash(address, list);
}

/** The hash of the list with a number, if it is the pinned one or a remembered earlier one. */
export function knownHash(address: string, trust: AddressTrust, sequence: number): string | null {
  if (trust.list?.sequence === sequence) return hashOf(address, trust.list);
  return trust.earlier.find((reference) => reference.sequence === sequence)?.hash ?? null;
}

/**
 * Pins a list that was proven to follow the pinned one. Statements of devices that it lacks are forgotten.
 * @param between the lists in between, ascending
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
    earlier: [...before.earlier, ...references].slice(-MAX_EARLIER),
    sealKeys: ofListed(before.sealKeys),
    claims: ofListed(before.claims),
  };
}

/**
 * Records a device's statement about its newest list. Statements of devices outside the pinned list are
 * dropped.
 */
export function withClaim(trust: AddressTrust, deviceId: string, claim: Claim): AddressTrust {
  if (!trust.list?.devices.some((device) => device.deviceId === deviceId)) return trust;
  const before = Object.hasOwn(trust.claims, deviceId) ? trust.claims[deviceId] : undefined;
  if (before && (before.sequence > claim.sequence || (before.sequence === claim.sequence && before.hash))) {
    return trust;
  }
  return { ...trust, claims: { ...trust.claims, [deviceId]: claim } };
}

/**
 * Reports whether the person rejected a list.
 * @param hash of its text, base64url
 */
export function isRejected(trust: AddressTrust, hash: string): boolean {
  return trust.rejected.some((reference) => reference.hash === hash);
}

/** Reports whether the relay's last list is the pinned one. Also true if neither exists. */
export function isPinShown(address: string, { list, shown }: AddressTrust): boolean {
  return shown === (list && hashOf(address, list));
}

/** Time at which the newest seal key of any device was made, in milliseconds since 1970; null for none. */
export function newestSealKeyAt({ sealKeys }: AddressTrust): number | null {
  const times = Object.values(sealKeys).map(({ notBefore }) => notBefore);
  return times.length === 0 ? null : Math.max(...times);
}

/** The stored form of a seal key. */
export function seenSealKey(address: string, sealKey: SealKey): AddressTrust['sealKeys'][string] {
  const { sequence, notBefore } = sealKey;
  return { sequence, hash: sealKeyHash(address, sealKey), notBefore: decodeTime(notBefore) };
}

/** Reports whether there is a signed statement about a list that the relay has not shown. */
export function hasOpenClaim(address: string, trust: AddressTrust): boolean {
  const newest = trust.list?.sequence ?? 0;
  return Object.values(trust.claims).some(({ sequence, hash }) => {
    if (hash !== null && isRejected(trust, hash)) return false;
    if (sequence > newest) return true;
    const known = knownHash(address, trust, sequence);
    return hash !== null && known !== null && known !== hash;
  });
}
