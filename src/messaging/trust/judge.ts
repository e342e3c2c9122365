/**
 * Judges data of an address, from a relay or another person's device. Pure functions: stored trust goes in
 * and comes out.
 */
import { UnverifiableError } from '../../base/failure.ts';
import type { UnprovenFault } from '../../base/sentences.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { compareSealKeys, findSealKeyFault, type SealKey } from '../../protocol/seal-key.ts';
import {
  type AddressTrust,
  hashOf,
  hasOpenClaim,
  isPinShown,
  isRejected,
  knownHash,
  MAX_REJECTED,
  pinned,
  seenSealKey,
  withClaim,
} from './address-trust.ts';
import { chainBetween } from './chain.ts';
import { findListFault } from './list-fault.ts';

/** Certified data of an address: its devices, and their usable seal keys. */
export interface ProvenKeys {
  deviceList: DeviceList;
  sealKeys: SealKey[];
}

export interface Judgement {
  /** Trust to store, even with a problem. */
  trust: AddressTrust;
  /** Null for none, or with a problem. */
  keys: ProvenKeys | null;
  problem: UnverifiableError | null;
  /** Devices with an older seal key than before, or a second one with the same number. */
  outdated: string[];
}

/**
 * Judges the relay's data of an address.
 * @param shown null if the relay shows none
 * @param between the lists between the pinned and the shown one, from the relay
 * @param now milliseconds since 1970
 */
export function judgeShown(
  address: string,
  before: AddressTrust,
  shown: ProvenKeys | null,
  between: readonly DeviceList[],
  now: number,
): Judgement {
  const fails = (problem: UnverifiableError, trust = before): Judgement => ({
    trust,
    keys: null,
    problem,
    outdated: [],
  });
  if (!shown) {
    if (!before.list) return { trust: before, keys: null, problem: null, outdated: [] };
    return fails(new UnverifiableError('keys_withheld', { who: '' }), { ...before, shown: null });
  }
  const { deviceList } = shown;
  const listed = judgeList(address, before, deviceList, between, now);
  if (typeof listed === 'string') return fails(new UnverifiableError('keys_unproven', { fault: listed }));
  const trust = { ...listed, shown: hashOf(address, deviceList) };
  if (trust.fork) return fails(new UnverifiableError('lists_differ', { who: '' }), trust);
  if (!isPinShown(address, trust)) return fails(new UnverifiableError('keys_withheld', { who: '' }), trust);
  return judgeSealKeys(address, trust, { ...shown, deviceList: trust.list ?? deviceList }, now);
}

/**
 * Judges lists from another person's device: proof that they exist, regardless of the relay's answer.
 * @param lists ascending, of an address with a pinned list
 * @returns the trust to store; unchanged if they prove nothing
 */
export function judgeEvidence(
  address: string,
  before: AddressTrust,
  lists: readonly DeviceList[],
  now: number,
): AddressTrust {
  const newest = lists.at(-1);
  if (!before.list || !newest) return before;
  const { sequence } = before.list;
  const between = lists.filter((list) => list.sequence > sequence && list !== newest);
  const judged = judgeList(address, before, newest, between, now);
  return typeof judged === 'string' ? before : judged;
}

/**
 * Accepts own lists that this device has signed or verified before, and pins the newest.
 * @param lists ascending, consecutive
 */
export function judgeOwn(address: string, before: AddressTrust, lists: readonly DeviceList[]): AddressTrust {
  const newest = lists.at(-1);
  const sequence = before.list?.sequence ?? 0;
  if (!newest || newest.sequence <= sequence) return before;
  const between = lists.filter((list) => list.sequence > sequence && list !== newest);
  return pinned(address, before, newest, between);
}

/**
 * The trust after a list: pinned if it follows, with a fork if it contradicts, or the reason why it proves
 * nothing.
 */
function judgeList(
  address: string,
  before: AddressTrust,
  list: DeviceList,
  between: readonly DeviceList[],
  now: number,
): AddressTrust | UnprovenFault {
  const hash = hashOf(address, list);
  const known = knownHash(address, before, list.sequence);
  // A proven list needs no second check of its signature.
  if (known === hash || isRejected(before, hash)) return before;
  const fault = findListFault(address, list, now);
  if (fault !== null) return fault;
  if (!before.list) return pinned(address, before, list, []);
  if (list.sequence <= before.list.sequence) {
    return known === null ? before : { ...before, fork: list };
  }
  const chain = chainBetween(address, before.list, between, list);
  if (chain === 'gap') return 'list_gap';
  if (chain === 'fork') return { ...before, fork: list };
  return pinned(address, before, list, between);
}

/** Stores the usable seal keys, with their numbers and their statements about newer lists. */
function judgeSealKeys(address: string, before: AddressTrust, shown: ProvenKeys, now: number): Judgement {
  const { deviceList } = shown;
  const devices = new Map(deviceList.devices.map((device) => [device.deviceId, device]));
  const sealKeys: SealKey[] = [];
  const outdated: string[] = [];
  let trust = before;
  for (const sealKey of shown.sealKeys) {
    const { deviceId, listSequence } = sealKey;
    const device = devices.get(deviceId);
    if (!device || findSealKeyFault(address, device, sealKey, now) !== null) continue;
    const current = seenSealKey(address, sealKey);
    const seen = Object.hasOwn(trust.sealKeys, deviceId) ? trust.sealKeys[deviceId] : undefined;
    const order = compareSealKeys(seen ?? null, current);
    if (order === 'older' || order === 'fork') {
      outdated.push(deviceId);
      continue;
    }
    devices.delete(deviceId);
    sealKeys.push(sealKey);
    if (order === 'newer') {
      trust = { ...trust, sealKeys: { ...trust.sealKeys, [deviceId]: current } };
    }
    trust = withClaim(trust, deviceId, { sequence: listSequence, hash: null });
  }
  // Only older keys than before: the device will show its own again, or the relay hides them.
  const problem =
    sealKeys.length === 0 && outdated.length > 0 ? new UnverifiableError('keys_withheld', { who: '' }) : null;
  return { trust, keys: problem ? null : { deviceList, sealKeys }, problem, outdated };
}

/** Reason why sealing to an address is impossible, by its stored trust; null if possible. */
export function findSealingProblem(address: string, trust: AddressTrust): UnverifiableError | null {
  if (trust.fork) return new UnverifiableError('lists_differ', { who: '' });
  const isBehind = trust.list !== null && !isPinShown(address, trust);
  return isBehind || hasOpenClaim(address, trust)
    ? new UnverifiableError('keys_withheld', { who: '' })
    : null;
}

/**
 * Applies the person's choice between two contradicting lists. The other one is never accepted again; a list
 * that follows it contradicts again. Statements of devices on either side are forgotten.
 * @param hash base64url of the chosen list; ignored if it is neither of the two
 */
export function choose(address: string, trust: AddressTrust, hash: string): AddressTrust {
  const { list, fork } = trust;
  const other = [list, fork].find((each) => each && hashOf(address, each) !== hash);
  const chosen = [list, fork].find((each) => each && hashOf(address, each) === hash);
  if (!list || !fork || !chosen || !other) return trust;
  const reference = { sequence: other.sequence, hash: hashOf(address, other) };
  const rejected = [...trust.rejected, reference].slice(-MAX_REJECTED);
  const decided = { ...trust, fork: null, rejected, claims: {} };
  return chosen === list ? decided : pinned(address, { ...decided, list: null, earlier: [] }, chosen, []);
}
