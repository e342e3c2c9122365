/**
 * Judges what a relay, or another person's device, shows of an address. Pure: what is remembered goes in and comes out.
 */
import { UnverifiableError } from '../../base/failure.ts';
import type { UnprovenFault } from '../../base/sentences.ts';
import { type DeviceList, findDeviceListFault } from '../../protocol/device-list.ts';
import { findSealKeyFault, orderOfSealKey, type SealKey } from '../../protocol/seal-key.ts';
import {
  type AddressTrust,
  hashOf,
  hasOpenClaim,
  isPinShown,
  isRejected,
  knownHash,
  MOST_REJECTED,
  pinned,
  seenSealKey,
  withClaim,
} from './address-trust.ts';
import { chainBetween } from './chain.ts';

/** What an address has certified: its devices, and their seal keys that may be used now. */
export interface ProvenKeys {
  deviceList: DeviceList;
  sealKeys: SealKey[];
}

export interface Judgement {
  /** What is to be remembered, also where there is a problem. */
  trust: AddressTrust;
  /** Null if there are none, or where there is a problem. */
  keys: ProvenKeys | null;
  problem: UnverifiableError | null;
  /** Devices of which the relay showed an older seal key than before, or a second one with the same number. */
  outdated: string[];
}

/**
 * Judges what the relay shows of an address.
 * @param shown null if the relay shows nothing
 * @param between the lists after the pinned one and before the shown one, as the relay tells them
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
 * Judges lists that another person's device handed over: proof that they exist, whatever the relay shows.
 * @param lists ascending; of an address of which a list is pinned
 * @returns what is to be remembered; as it was if they prove nothing
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
 * Takes the lists of one's own address, which this device has signed or verified before: the newest is pinned.
 * @param lists ascending, one after the other
 */
export function judgeOwn(address: string, before: AddressTrust, lists: readonly DeviceList[]): AddressTrust {
  const newest = lists.at(-1);
  const sequence = before.list?.sequence ?? 0;
  if (!newest || newest.sequence <= sequence) return before;
  const between = lists.filter((list) => list.sequence > sequence && list !== newest);
  return pinned(address, before, newest, between);
}

/** What to remember of a list: pinned if it follows, with a fork if it contradicts, or why it proves nothing. */
function judgeList(
  address: string,
  before: AddressTrust,
  list: DeviceList,
  between: readonly DeviceList[],
  now: number,
): AddressTrust | UnprovenFault {
  const hash = hashOf(address, list);
  const known = knownHash(address, before, list.sequence);
  // What was proven once needs no second look at its signature.
  if (known === hash || isRejected(before, hash)) return before;
  const fault = findDeviceListFault(address, list, now);
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

/** Keeps the seal keys that may be used, and notes their numbers and what they say of newer lists. */
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
    const order = orderOfSealKey(seen ?? null, current);
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
  // Older keys than before and no other: the device will show its own again, or the relay hides them.
  const problem =
    sealKeys.length === 0 && outdated.length > 0 ? new UnverifiableError('keys_withheld', { who: '' }) : null;
  return { trust, keys: problem ? null : { deviceList, sealKeys }, problem, outdated };
}

/** Why nothing may be sealed to an address, after what is remembered of it; null if something may. */
export function findSealingProblem(address: string, trust: AddressTrust): UnverifiableError | null {
  if (trust.fork) return new UnverifiableError('lists_differ', { who: '' });
  const isBehind = trust.list !== null && !isPinShown(address, trust);
  return isBehind || hasOpenClaim(address, trust)
    ? new UnverifiableError('keys_withheld', { who: '' })
    : null;
}

/**
 * The person took one of two contradicting lists for the true one. The other one is never taken again; a list that
 * follows it contradicts again. What devices said of their lists, on one side or the other, is forgotten.
 * @param hash base64url of the list that counts from now on; another than the two changes nothing
 */
export function choose(address: string, trust: AddressTrust, hash: string): AddressTrust {
  const { list, fork } = trust;
  const other = [list, fork].find((each) => each && hashOf(address, each) !== hash);
  const chosen = [list, fork].find((each) => each && hashOf(address, each) === hash);
  if (!list || !fork || !chosen || !other) return trust;
  const reference = { sequence: other.sequence, hash: hashOf(address, other) };
  const rejected = [...trust.rejected, reference].slice(-MOST_REJECTED);
  const decided = { ...trust, fork: null, rejected, claims: {} };
  return chosen === list ? decided : pinned(address, { ...decided, list: null, earlier: [] }, chosen, []);
}
