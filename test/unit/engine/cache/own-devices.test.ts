import { afterEach, beforeEach, expect, test } from 'vitest';
import { Directory } from '../../../../src/engine/directory.ts';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { type DeviceList, deviceListHash, signDeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { walletFromKey } from '../../../../src/protocol/wallet.ts';
import { type CachedAccount, openAccount } from '../../../support/cached-account.ts';
import { TestDevice } from '../../../support/person.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const MINUTE = 60_000;
const wallet = walletFromKey(randomBytes(32));
let account: CachedAccount;
let events: unknown[];
let newest: DeviceList | null;
beforeEach(() => {
  events = [];
  newest = null;
  account = openAccount(
    wallet.address,
    () => NOW,
    (name, payload) => events.push([name, payload]),
  );
});
afterEach(() => account[Symbol.asyncDispose]());

/** The next list of the account, with these devices. */
function nextList(devices: readonly TestDevice[], issued = NOW): DeviceList {
  newest = signDeviceList(wallet, {
    sequence: (newest?.sequence ?? 0) + 1,
    previous: newest && deviceListHash(wallet.address, newest),
    issued: encodeTime(issued),
    unsigned: [],
    devices: devices.map(({ id, signing }) => ({
      deviceId: id,
      key: encodeBase64Url(signing.publicKey),
      type: 'app' as const,
      validUntil: encodeTime(NOW + 300 * 24 * 60 * MINUTE),
    })),
  });
  return newest;
}

const adopt = (devices: readonly TestDevice[], issued?: number) =>
  account.context.identity.addLists([nextList(devices, issued)]);
const added = () => account.context.ownDevices.added().map(({ id }) => id);

test('devices of the first list are known; later ones are announced, with the date of their list', () => {
  const [first, second] = [new TestDevice(), new TestDevice()];
  adopt([first]);
  expect(added()).toEqual([]);
  adopt([first, second], NOW - MINUTE);
  expect(account.context.ownDevices.added()).toEqual([{ id: second.id, type: 'app', at: NOW - MINUTE }]);
  expect([account.context.ownDevices.takeNew(), account.context.ownDevices.takeNew()]).toEqual([true, false]);
  account.context.ownDevices.confirm([second.id]);
  adopt([first, second]);
  expect(added()).toEqual([]);
});

test('a date ahead of the clock counts as now', () => {
  adopt([new TestDevice()]);
  adopt([new TestDevice()], NOW + 4 * MINUTE);
  expect(account.context.ownDevices.added()).toMatchObject([{ at: NOW }]);
});

test('at most the devices of the newest list are announced, however many were added', () => {
  const first = new TestDevice();
  adopt([first]);
  const thief = Array.from({ length: 20 }, () => new TestDevice());
  for (const [index] of thief.entries()) adopt([first, ...thief.slice(Math.max(0, index - 14), index + 1)]);
  expect(added()).toHaveLength(15);
});

test('a removed device that returns is announced again, also if both lists arrive together', () => {
  const [first, second] = [new TestDevice(), new TestDevice()];
  adopt([first]);
  adopt([first, second]);
  account.context.ownDevices.confirm([second.id]);
  account.context.identity.addLists([nextList([first]), nextList([first, second])]);
  expect(added()).toEqual([second.id]);
});

test('a device that is being linked here is not announced, unless it returns after its removal', () => {
  const [first, second, other] = [new TestDevice(), new TestDevice(), new TestDevice()];
  adopt([first]);
  account.context.ownDevices.expect(second.id);
  // Another device of the person changes the list meanwhile.
  adopt([first, other]);
  adopt([first, other, second]);
  expect(added()).toEqual([other.id]);
  adopt([first, other]);
  adopt([first, other, second]);
  expect(added().toSorted()).toEqual([other.id, second.id].toSorted());
});

test('a device in a list attached to a message of an own device is announced while the relay hides that list', () => {
  const [first, second] = [new TestDevice(), new TestDevice()];
  adopt([first]);
  let checks = 0;
  const directory = new Directory(account.context, {} as never, wallet.address, {
    onOwnList: () => checks++,
  });
  directory.keys.addEvidence(wallet.address, [nextList([first, second])]);
  expect(added()).toEqual([second.id]);
  expect(events).toContainEqual(['devices.changed', { isNew: true }]);
  expect(checks).toBe(1);
});
