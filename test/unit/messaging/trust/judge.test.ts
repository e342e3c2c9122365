import { describe, expect, test } from 'vitest';
import {
  type AddressTrust,
  hashOf,
  hasOpenClaim,
  MAX_EARLIER,
  MAX_REJECTED,
  NOTHING_KNOWN,
  withClaim,
} from '../../../../src/messaging/trust/address-trust.ts';
import {
  choose,
  findSealingProblem,
  type Judgement,
  judgeEvidence,
  judgeShown,
} from '../../../../src/messaging/trust/judge.ts';
import { importX25519 } from '../../../../src/protocol/crypto.ts';
import { type DeviceList, deviceListHash, signDeviceList } from '../../../../src/protocol/device-list.ts';
import { type SealKey, signSealKey } from '../../../../src/protocol/seal-key.ts';
import {
  type FixedDevice,
  firstList,
  fixedBytes,
  fixedDevice,
  fixedWallet,
} from '../../../support/identities.ts';

const NOW = Date.parse('2026-11-20T21:00:00.000Z');
const DAY = 24 * 3_600_000;
const wallet = fixedWallet(1);
const { address } = wallet;
const phone = fixedDevice(2);
const laptop = fixedDevice(3);
const first = signDeviceList(wallet, firstList([phone]));

/** The list after another. */
function next(list: DeviceList, changes: Partial<DeviceList> = {}): DeviceList {
  return signDeviceList(wallet, {
    ...list,
    sequence: list.sequence + 1,
    previous: deviceListHash(address, list),
    ...changes,
  });
}

/** A number of lists, each following the previous one. */
function chain(length: number): DeviceList[] {
  const lists = [first];
  while (lists.length < length) lists.push(next(lists.at(-1) ?? first));
  return lists;
}

interface KeyOptions {
  device?: FixedDevice;
  sequence?: number;
  listSequence?: number;
  seed?: number;
  life?: number;
}

function sealKey({
  device = phone,
  sequence = 1,
  listSequence = 1,
  seed = 9,
  life = 30 * DAY,
}: KeyOptions = {}): SealKey {
  const key = importX25519(fixedBytes(seed)).publicKey;
  const times = { notBefore: NOW, notAfter: NOW + life };
  return signSealKey(address, device.key, key, { sequence, listSequence }, times);
}

function judge(
  before: AddressTrust,
  deviceList: DeviceList | null,
  options: { sealKeys?: SealKey[]; between?: DeviceList[]; now?: number } = {},
): Judgement {
  const shown = deviceList && { deviceList, sealKeys: options.sealKeys ?? [] };
  return judgeShown(address, before, shown, options.between ?? [], options.now ?? NOW);
}

/** The stored state after a relay has shown these lists, one after the other. */
function having(...lists: DeviceList[]): AddressTrust {
  return lists.reduce((trust, list) => judge(trust, list).trust, NOTHING_KNOWN);
}

describe('device lists', () => {
  test('accepts a list signed by the wallet, and the next that follows', () => {
    const judged = judge(NOTHING_KNOWN, first, { sealKeys: [sealKey()] });
    expect(judged).toMatchObject({ keys: { deviceList: first, sealKeys: [sealKey()] }, problem: null });
    expect(judge(judged.trust, next(first)).keys?.deviceList).toEqual(next(first));
  });

  test('an address that never had devices has none', () => {
    expect(judge(NOTHING_KNOWN, null)).toMatchObject({ keys: null, problem: null });
  });

  test('accepts a list several numbers ahead only with all lists in between', () => {
    const [, second, third, fourth] = chain(4) as [DeviceList, DeviceList, DeviceList, DeviceList];
    const before = having(first);
    expect(judge(before, fourth, { between: [second, third] })).toMatchObject({ problem: null });
    for (const between of [[], [second], [third], [third, second], [second, second], [second, fourth]]) {
      expect(judge(before, fourth, { between }).problem?.message).toContain('does not follow');
    }
  });

  test('detects a fork two numbers ahead, even if signed by the wallet', () => {
    const [, second, third] = chain(3) as [DeviceList, DeviceList, DeviceList];
    const other = next(first, { unsigned: ['api'] });
    const otherThird = next(other);
    const { trust, problem } = judge(having(first, second), otherThird);
    expect(problem?.message).toContain('two different device lists');
    expect(trust.fork).toEqual(otherThird);
    // Also where the pinned list is shown again: the person has to choose.
    expect(judge(trust, third).problem?.message).toContain('two different device lists');
    expect(findSealingProblem(address, trust)?.message).toContain('two different device lists');
  });

  test('two lists with one number are a fork, and the person chooses one', () => {
    const other = signDeviceList(wallet, { ...firstList([phone, laptop]) });
    const { trust } = judge(having(first), other);
    const stayed = choose(address, trust, hashOf(address, first));
    expect(stayed).toMatchObject({ list: first, fork: null });
    const changed = choose(address, trust, hashOf(address, other));
    expect(changed).toMatchObject({ list: other, fork: null });
    expect(judge(changed, other)).toMatchObject({ problem: null });
  });

  test('waits on an older or missing list, and keeps the pin', () => {
    const trust = having(first, next(first));
    for (const shown of [first, null]) {
      const judged = judge(trust, shown);
      expect(judged.problem).toMatchObject({ code: 'keys_withheld' });
      expect(judged.trust.list).toEqual(trust.list);
      expect(findSealingProblem(address, judged.trust)).toMatchObject({ code: 'keys_withheld' });
      const back = judge(judged.trust, next(first)).trust;
      expect(findSealingProblem(address, back)).toBeNull();
    }
  });

  test('ignores a list signed by another wallet', () => {
    const foreign = signDeviceList(fixedWallet(7), firstList([phone, laptop]));
    const judged = judge(having(first), foreign);
    expect(judged.problem?.message).toContain('not signed by the wallet');
    expect(judged.trust).toEqual(having(first));
  });

  test('stores a bounded number of lists before the pinned one', () => {
    const lists = chain(MAX_EARLIER + 6);
    const trust = having(...lists);
    expect(trust.earlier).toHaveLength(MAX_EARLIER);
    expect(trust.earlier.at(-1)?.sequence).toBe(lists.length - 1);
  });
});

describe('seal keys', () => {
  test('are left out if unusable', () => {
    const foreign = sealKey({ device: laptop, seed: 8 });
    const shown = [sealKey({ life: 46 * DAY }), foreign, { ...sealKey(), key: foreign.key }, sealKey()];
    expect(judge(NOTHING_KNOWN, first, { sealKeys: shown }).keys?.sealKeys).toEqual([sealKey()]);
    const later = judge(NOTHING_KNOWN, first, { sealKeys: shown, now: NOW + 31 * DAY });
    expect(later.keys?.sealKeys).toEqual([]);
  });

  test('are refused after their successor was shown', () => {
    const both = signDeviceList(wallet, firstList([phone, laptop]));
    const other = sealKey({ device: laptop, seed: 8 });
    const { trust } = judge(NOTHING_KNOWN, both, { sealKeys: [sealKey({ sequence: 2, seed: 7 }), other] });
    const again = judge(trust, both, { sealKeys: [sealKey(), other] });
    expect(again.keys?.sealKeys).toEqual([other]);
    expect(again.outdated).toEqual([phone.entry.deviceId]);
    const fork = judge(trust, both, { sealKeys: [sealKey({ sequence: 2, seed: 6 }), other] });
    expect(fork.keys?.sealKeys).toEqual([other]);
  });

  test('wait for the newest if only older ones are shown', () => {
    const { trust } = judge(NOTHING_KNOWN, first, { sealKeys: [sealKey({ sequence: 2, seed: 7 })] });
    expect(judge(trust, first, { sealKeys: [sealKey()] }).problem).toMatchObject({ code: 'keys_withheld' });
  });

  test('are a claim if they name a newer list than the relay shows', () => {
    const { trust } = judge(having(first), first, { sealKeys: [sealKey({ listSequence: 2 })] });
    expect(findSealingProblem(address, trust)).toMatchObject({ code: 'keys_withheld' });
    expect(findSealingProblem(address, judge(trust, next(first)).trust)).toBeNull();
  });
});

describe('claims', () => {
  const claim = (list: DeviceList) => ({ sequence: list.sequence, hash: hashOf(address, list) });
  const { deviceId } = phone.entry;

  test('a signed claim of a newer list stops sending until it is shown', () => {
    const second = next(first);
    const trust = withClaim(having(first), deviceId, claim(second));
    expect(hasOpenClaim(address, trust)).toBe(true);
    expect(hasOpenClaim(address, judge(trust, first).trust)).toBe(true);
    expect(hasOpenClaim(address, judge(trust, second).trust)).toBe(false);
  });

  test('a claim of another list with the same number stays open', () => {
    const other = next(first, { unsigned: ['api'] });
    const trust = withClaim(having(first, next(first)), deviceId, claim(other));
    expect(hasOpenClaim(address, trust)).toBe(true);
    expect(hasOpenClaim(address, judge(trust, next(next(first))).trust)).toBe(true);
  });

  test('ignores a late claim of a list that was pinned', () => {
    const trust = withClaim(having(first, next(first)), deviceId, claim(first));
    expect(hasOpenClaim(address, trust)).toBe(false);
  });

  test('ignores claims of a device outside the pinned list', () => {
    const trust = having(first);
    expect(withClaim(trust, laptop.entry.deviceId, claim(next(first)))).toBe(trust);
  });

  test('a claim ends when a proven list removes its device', () => {
    const both = signDeviceList(wallet, firstList([phone, laptop]));
    const invented = { sequence: 0xffff_ffff, hash: hashOf(address, first) };
    const trust = withClaim(having(both), laptop.entry.deviceId, invented);
    expect(hasOpenClaim(address, trust)).toBe(true);
    const without = next(both, { devices: [phone.entry] });
    expect(hasOpenClaim(address, judge(trust, without).trust)).toBe(false);
  });
});

describe('lists in a hello', () => {
  const [, second, third] = chain(3) as [DeviceList, DeviceList, DeviceList];

  test('count like those that a relay shows, and nothing is sealed until the relay shows them', () => {
    const trust = judgeEvidence(address, having(first), [second, third], NOW);
    expect(trust.list).toEqual(third);
    expect(findSealingProblem(address, trust)).toMatchObject({ code: 'keys_withheld' });
    expect(findSealingProblem(address, judge(trust, third).trust)).toBeNull();
  });

  test('are ignored with a gap, with a foreign signature, or of an unknown address', () => {
    const trust = having(first);
    expect(judgeEvidence(address, trust, [third], NOW)).toBe(trust);
    const foreign = signDeviceList(fixedWallet(7), { ...second });
    expect(judgeEvidence(address, trust, [foreign], NOW)).toBe(trust);
    expect(judgeEvidence(address, NOTHING_KNOWN, [first], NOW)).toBe(NOTHING_KNOWN);
    expect(judgeEvidence(address, trust, [], NOW)).toBe(trust);
  });

  test('that contradict the pinned one are a fork', () => {
    const other = next(first, { unsigned: ['api'] });
    expect(judgeEvidence(address, having(first, second), [other], NOW).fork).toEqual(other);
  });
});

describe('the choice between two lists', () => {
  const [, pin] = chain(2) as [DeviceList, DeviceList];
  const other = next(first, { unsigned: ['api'] });
  const forked = judge(having(first, pin), other).trust;
  const chosen = (list: DeviceList) => choose(address, forked, hashOf(address, list));

  test('is permanent: waits on the list that was not chosen, without a new fork', () => {
    expect(findSealingProblem(address, forked)).toMatchObject({ code: 'lists_differ' });
    const stillShown = judge(chosen(pin), other);
    expect(stillShown.problem).toMatchObject({ code: 'keys_withheld' });
    expect(stillShown.trust.fork).toBeNull();
    expect(judgeEvidence(address, chosen(pin), [other], NOW).fork).toBeNull();
    expect(findSealingProblem(address, judge(stillShown.trust, pin).trust)).toBeNull();
  });

  test('may be the other one, which is pinned and can be sealed to when the relay shows it', () => {
    const trust = chosen(other);
    expect(trust.list).toEqual(other);
    expect(judge(trust, pin).problem).toMatchObject({ code: 'keys_withheld' });
    expect(findSealingProblem(address, judge(trust, other).trust)).toBeNull();
  });

  test('ends with a list that follows the one not chosen', () => {
    const judged = judge(chosen(pin), next(other));
    expect(judged.problem).toMatchObject({ code: 'lists_differ' });
  });

  test('is not undone by devices that name the list that was not chosen', () => {
    const claim = { sequence: other.sequence, hash: hashOf(address, other) };
    const trust = withClaim(judge(chosen(pin), pin).trust, phone.entry.deviceId, claim);
    expect(findSealingProblem(address, trust)).toBeNull();
  });

  test('is one of the two, and only where there are two', () => {
    expect(choose(address, forked, hashOf(address, first))).toBe(forked);
    expect(choose(address, having(first), hashOf(address, first))).toEqual(having(first));
  });

  test('remembers a bounded number of lists that were not chosen', () => {
    let trust = having(first, pin);
    for (let index = 0; index < MAX_REJECTED + 5; index++) {
      const issued = new Date(NOW - index * 1000).toISOString();
      trust = judge(trust, next(first, { issued, unsigned: ['api'] })).trust;
      trust = choose(address, trust, hashOf(address, pin));
    }
    expect(trust.rejected).toHaveLength(MAX_REJECTED);
  });
});
