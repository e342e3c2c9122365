import { beforeEach, expect, test } from 'vitest';
import {
  ERASE_AFTER,
  OVERDUE_AFTER,
  type OwnSealKey,
  OwnSealKeys,
  type SealKeyStore,
} from '../../../../src/client/identity/own-seal-keys.ts';
import { type DeviceList, signDeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import {
  findSealKeyFault,
  MAX_SEAL_KEY_LIFE,
  pqDigest,
  SEAL_KEY_ROTATION,
} from '../../../../src/protocol/seal-key.ts';
import { hybridPublicKey, importHybrid } from '../../../../src/protocol/x-wing.ts';
import { firstList, fixedDevice, fixedWallet } from '../../../support/identities.ts';

const START = Date.parse('2026-11-20T21:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const wallet = fixedWallet(1);
const { address } = wallet;
const { key: deviceKey, entry } = fixedDevice(2);
const list = signDeviceList(wallet, firstList([{ key: deviceKey, entry }]));
const listWith = (changes: Partial<DeviceList>): DeviceList => ({ ...list, ...changes });

let now: number;
let kept: OwnSealKey[];
const store: SealKeyStore = {
  sealKeys: () => kept,
  addSealKey: (key) => void kept.unshift(key),
  markSealKeyAccepted: (sequence, at) => {
    kept = kept.map((key) => (key.statement.sequence === sequence ? { ...key, acceptedAt: at } : key));
  },
  eraseSealKeys: (sequences) => {
    kept = kept.filter(({ statement }) => !sequences.includes(statement.sequence));
  },
};
/** The keys of a program that was just started. */
const open = () =>
  new OwnSealKeys(store, { address, deviceId: entry.deviceId, deviceKey, wallet }, () => now);
const sequences = () => kept.map(({ statement }) => statement.sequence);

/** Makes the next key and publishes it at the relay. */
function rotate(keys = open(), listSequence = 1) {
  const statement = keys.current(listSequence, null);
  keys.accepted(statement);
  return statement;
}

beforeEach(() => {
  now = START;
  kept = [];
});

test('stores a statement before announcing it, and sends the same after a crash', () => {
  const statement = open().current(1, null);
  expect(kept).toMatchObject([{ statement, acceptedAt: null }]);
  expect(findSealKeyFault(address, entry, statement, now)).toBeNull();
  const again = open();
  expect(again.isDue(list)).toBe(true);
  expect(again.current(1, null)).toEqual(statement);
  again.accepted(statement);
  expect([again.isDue(list), kept[0]?.acceptedAt]).toEqual([false, now]);
});

test('creates the next after a day, and after each change of the list', () => {
  const keys = open();
  rotate(keys);
  now += SEAL_KEY_ROTATION - 1;
  expect(keys.isDue(list)).toBe(false);
  now += 1;
  expect(keys.isDue(list)).toBe(true);
  expect(rotate(keys)).toMatchObject({ sequence: 2, listSequence: 1 });
  expect(keys.isDue(listWith({ sequence: 2 }))).toBe(true);
  expect(rotate(keys, 2)).toMatchObject({ sequence: 3, listSequence: 2 });
});

test('erases an old key if its successor was accepted long enough before the queue ended', () => {
  const keys = open();
  rotate(keys);
  now += DAY;
  rotate(keys);
  const acceptedAt = now;
  now += 10 * DAY;
  keys.drained(acceptedAt + ERASE_AFTER - 1, list);
  expect(sequences()).toEqual([2, 1]);
  keys.drained(acceptedAt + ERASE_AFTER, list);
  expect(sequences()).toEqual([2]);
});

test('erases no key before the relay accepts its successor', () => {
  const keys = open();
  rotate(keys);
  now += DAY;
  keys.current(1, null);
  keys.drained(now + 10 * DAY, list);
  expect(sequences()).toEqual([2, 1]);
});

test('keeps an old key a day longer while programs may write without naming a key', () => {
  const keys = open();
  rotate(keys);
  now += DAY;
  rotate(keys);
  const open24 = listWith({ unsigned: ['api'] });
  keys.drained(now + DAY + ERASE_AFTER - 1, open24);
  expect(sequences()).toEqual([2, 1]);
  keys.drained(now + DAY + ERASE_AFTER, open24);
  expect(sequences()).toEqual([2]);
});

test('keeps old keys of an unread queue until their mail has expired, and always the newest', () => {
  const keys = open();
  rotate(keys);
  now += DAY;
  rotate(keys);
  const retention = 30 * DAY;
  now = START + MAX_SEAL_KEY_LIFE + retention + DAY;
  keys.eraseEnded(retention);
  expect(sequences()).toEqual([2, 1]);
  now += 1;
  keys.eraseEnded(retention);
  expect(sequences()).toEqual([2]);
  now += 10 * DAY;
  keys.eraseEnded(retention);
  expect(sequences()).toEqual([2]);
});

test('skips the number of its own lost statement at the relay and ignores a foreign one', () => {
  const keys = open();
  rotate(keys);
  const earlier = [...kept];
  now += DAY;
  const lost = rotate(keys);
  kept = [...earlier];
  const { sequence } = open().current(1, { device: entry, shown: lost });
  expect(sequence).toBe(lost.sequence + 1);
  kept = [...earlier];
  const forged = { ...lost, sequence: 4_000_000_000 };
  now = START;
  expect(open().current(1, { device: entry, shown: forged }).sequence).toBe(1);
});

test('detects a relay that lost an accepted statement', () => {
  const keys = open();
  const first = rotate(keys);
  expect([keys.isForgotten(first), keys.isForgotten(null)]).toEqual([false, true]);
  now += DAY;
  const second = keys.current(1, null);
  expect(keys.isForgotten(first)).toBe(false);
  keys.accepted(second);
  expect([keys.isForgotten(first), keys.isForgotten(second)]).toEqual([true, false]);
  now += MAX_SEAL_KEY_LIFE;
  expect(keys.isForgotten(null)).toBe(false);
});

test('reports a week without an accepted statement, only after the first one', () => {
  const keys = open();
  keys.current(1, null);
  now += 2 * OVERDUE_AFTER;
  expect(keys.isOverdue()).toBe(false);
  rotate(keys);
  now += OVERDUE_AFTER - 1;
  keys.current(1, null);
  expect(keys.isOverdue()).toBe(false);
  now += 1;
  expect(keys.isOverdue()).toBe(true);
  rotate(keys);
  expect(keys.isOverdue()).toBe(false);
});

test('derives both halves of a seal key from the one stored secret', () => {
  const keys = open();
  const statement = keys.current(1, null);
  const { x25519, mlKem } = hybridPublicKey(importHybrid(kept[0]?.secret ?? new Uint8Array(0)));
  expect(statement.key).toBe(encodeBase64Url(x25519));
  expect(statement.pq).toBe(pqDigest(mlKem));
  expect(keys.pqKeyOf(statement)).toBe(encodeBase64Url(mlKem));
});
