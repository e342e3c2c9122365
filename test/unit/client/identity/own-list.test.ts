import { beforeEach, describe, expect, test } from 'vitest';
import { RelayRefusal } from '../../../../src/client/http.ts';
import { agreeOnLists, type ListCalls, type OwnLists } from '../../../../src/client/identity/own-list.ts';
import {
  type DeviceList,
  deviceListHash,
  followsDeviceList,
  signDeviceList,
} from '../../../../src/protocol/device-list.ts';
import { HISTORY_PAGE } from '../../../../src/protocol/limits.ts';
import { firstList, fixedDevice, fixedWallet } from '../../../support/identities.ts';

const NOW = Date.parse('2026-11-20T21:00:00.000Z');
const wallet = fixedWallet(1);
const { address } = wallet;
const phone = fixedDevice(2);
const laptop = fixedDevice(3);
const first = signDeviceList(wallet, firstList([phone]));

function next(list: DeviceList, changes: Partial<DeviceList> = {}): DeviceList {
  const previous = deviceListHash(address, list);
  return signDeviceList(wallet, { ...list, sequence: list.sequence + 1, previous, ...changes });
}

function chain(length: number): DeviceList[] {
  const lists = [first];
  while (lists.length < length) lists.push(next(lists.at(-1) ?? first));
  return lists;
}

/** The part of a relay that keeps lists. */
class Lists implements ListCalls {
  lists: DeviceList[] = [];
  /** Action of another device before the next list is published here. */
  meanwhile: (() => void) | null = null;
  calls: string[] = [];

  get newest(): DeviceList | null {
    return this.lists.at(-1) ?? null;
  }

  #keys() {
    if (!this.newest) throw new Error('nothing is published');
    return { address, deviceKeys: [], deviceList: this.newest, sealKeys: [], profile: null };
  }

  async keys() {
    return this.newest && this.#keys();
  }

  async keyHistory(_: string, after: number) {
    this.calls.push(`history after ${after}`);
    const lists = this.lists.filter(({ sequence }) => sequence > after);
    return { address, lists: lists.slice(0, HISTORY_PAGE), more: lists.length > HISTORY_PAGE };
  }

  async putDevices(list: DeviceList) {
    this.meanwhile?.();
    this.meanwhile = null;
    this.calls.push(`list ${list.sequence}`);
    const isSame = this.newest?.signature === list.signature;
    if (!isSame && !followsDeviceList(address, this.newest, list)) {
      throw new RelayRefusal(409, 'device_list_conflict', 'This list does not follow.');
    }
    if (!isSame) this.lists.push(list);
    return this.#keys();
  }
}

class Memory implements OwnLists {
  known: DeviceList[] = [];
  lists = () => this.known;
  newestList = () => this.known.at(-1) ?? null;
  addLists = (lists: DeviceList[]) => void this.known.push(...lists);
}

let relay: Lists;
let store: Memory;
beforeEach(() => {
  relay = new Lists();
  store = new Memory();
});

const agree = () => agreeOnLists(relay, address, store, relay.newest, NOW);

describe('lists that the relay has lost', () => {
  test.each([
    ['all lists', 0],
    ['the last of them', 2],
  ])('%s: published again one after the other, as they were signed', async (_, left) => {
    store.known = chain(3);
    relay.lists = store.known.slice(0, left);
    expect(await agree()).toEqual(store.known[2]);
    expect(relay.lists).toEqual(store.known);
    expect(relay.calls).toEqual([1, 2, 3].slice(left).map((sequence) => `list ${sequence}`));
  });

  test('lists missing here too: publishes nothing and reports the remedy', async () => {
    const lists = chain(4);
    store.known = lists.slice(3);
    relay.lists = lists.slice(0, 1);
    await expect(agree()).rejects.toThrow(/does not have either\. Open Waxwing on the computer/);
    expect(relay.calls).toEqual([]);
  });

  test('agrees with another own device that restores the same lists at the same time', async () => {
    store.known = chain(4);
    relay.lists = store.known.slice(0, 1);
    relay.meanwhile = () => relay.lists.push(...store.known.slice(1, 3));
    expect(await agree()).toEqual(store.known[3]);
    expect(relay.lists).toEqual(store.known);
  });

  test('stops asking a relay that accepts no list', async () => {
    store.known = chain(2);
    relay.putDevices = async () => {
      relay.calls.push('refused');
      throw new RelayRefusal(409, 'device_list_conflict', 'No.');
    };
    await expect(agree()).rejects.toMatchObject({ code: 'device_list_conflict' });
    expect(relay.calls.length).toBeLessThan(10);
  });
});

describe('contradicting lists', () => {
  test('refuses a different list with a known number and restores nothing', async () => {
    store.known = chain(3);
    for (const sequence of [2, 3]) {
      relay.lists = [...store.known.slice(0, sequence - 1)];
      relay.lists.push(next(store.known[sequence - 2] ?? first, { devices: [phone.entry, laptop.entry] }));
      await expect(agree()).rejects.toThrow(/that you did not sign/);
    }
    expect(relay.calls).toEqual([]);
    expect(store.known).toEqual(chain(3));
  });

  test('refuses a list of another wallet', async () => {
    const other = signDeviceList(fixedWallet(9), firstList([laptop]));
    relay.lists = [other];
    await expect(agree()).rejects.toThrow(/that you did not sign/);
    store.known = chain(1);
    await expect(agree()).rejects.toThrow(/that you did not sign/);
  });

  test.each([
    ['a list two ahead whose way leads to another', (lists: DeviceList[]) => lists.slice(0, 1)],
    ['a list two ahead, and none between', () => []],
  ])('%s is not adopted', async (_, between) => {
    const fork = next(next(first, { devices: [laptop.entry] }), { devices: [laptop.entry] });
    const own = chain(2);
    store.known = [...own];
    relay.lists = [...between(own), next(fork)];
    await expect(agree()).rejects.toThrow(/that you did not sign/);
    expect(store.known).toEqual(own);
  });
});

describe('lists signed by other own devices', () => {
  test('are adopted with all lists in between, in pages', async () => {
    const lists = chain(2 * HISTORY_PAGE + 3);
    store.known = lists.slice(0, 1);
    relay.lists = lists;
    expect(await agree()).toEqual(lists.at(-1));
    expect(store.known).toEqual(lists);
    expect(relay.calls).toEqual([1, 1 + HISTORY_PAGE, 1 + 2 * HISTORY_PAGE].map((n) => `history after ${n}`));
  });

  test('fetches the lists before a new device’s first, so that it can restore them alone', async () => {
    const lists = chain(4);
    relay.lists = lists;
    expect(await agree()).toEqual(lists[3]);
    expect(store.known).toEqual(lists);
    relay.lists = lists.slice(0, 1);
    await agree();
    expect(relay.lists).toEqual(lists);
  });

  test('keeps only successive lists before its first', async () => {
    const lists = chain(4);
    const foreign = next(first, { devices: [laptop.entry] });
    relay.lists = [first, foreign, ...lists.slice(2)];
    await agree();
    expect(store.known).toEqual(lists.slice(2));
  });
});

test('returns no list if none is published or known', async () => {
  expect(await agree()).toBeNull();
  expect(relay.calls).toEqual([]);
});
