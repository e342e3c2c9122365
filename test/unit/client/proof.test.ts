import { expect, test } from 'vitest';
import { proveKeys } from '../../../src/client/proof.ts';
import { native } from '../../../src/protocol/crypto/native.ts';
import { type DeviceList, deviceListHash, signDeviceList } from '../../../src/protocol/device-list.ts';
import { signSealKey } from '../../../src/protocol/seal-key.ts';
import { firstList, fixedBytes, fixedDevice, fixedWallet } from '../../support/identities.ts';

const NOW = Date.parse('2026-11-20T21:00:00.000Z');
const DAY = 24 * 3_600_000;
const wallet = fixedWallet(1);
const { address } = wallet;
const phone = fixedDevice(native, 2);
const first = signDeviceList(wallet, firstList([phone]));

function following(list: DeviceList, previous = deviceListHash(native, address, list)): DeviceList {
  return signDeviceList(wallet, { ...list, sequence: list.sequence + 1, previous, unsigned: ['api'] });
}

function sealKey(life = 30 * DAY) {
  const key = native.importX25519(fixedBytes(9)).publicKey;
  return signSealKey(
    native,
    address,
    phone.key,
    key,
    { sequence: 1, listSequence: 1 },
    { notBefore: NOW, notAfter: NOW + life },
  );
}

test('what the wallet signed is proven, newer lists included', () => {
  const published = { deviceList: first, sealKeys: [sealKey()] };
  expect(proveKeys(address, published, null, NOW)).toEqual(published);
  expect(proveKeys(address, published, first, NOW)).toEqual(published);
  const next = { deviceList: following(first), sealKeys: [] };
  expect(proveKeys(address, next, first, NOW)).toEqual(next);
  const later = { deviceList: following(following(first)), sealKeys: [] };
  expect(proveKeys(address, later, first, NOW)).toEqual(later);
});

test('seal keys that may not be used are left out', () => {
  const stranger = fixedDevice(native, 3);
  const key = native.importX25519(fixedBytes(8)).publicKey;
  const times = { notBefore: NOW, notAfter: NOW + DAY };
  const foreign = signSealKey(native, address, stranger.key, key, { sequence: 1, listSequence: 1 }, times);
  const forged = { ...sealKey(), key: foreign.key };
  const published = { deviceList: first, sealKeys: [sealKey(), sealKey(46 * DAY), foreign, forged] };
  expect(proveKeys(address, published, null, NOW)?.sealKeys).toEqual([sealKey()]);
  expect(proveKeys(address, published, null, NOW + 31 * DAY)?.sealKeys).toEqual([]);
});

test.each<[string, DeviceList | null, DeviceList | null]>([
  ['an older device list', first, following(first)],
  [
    'two different device lists with the same number',
    following(first),
    { ...following(first), issued: '2026-11-20T20:30:00.000Z' },
  ],
  ['does not follow', following(first, deviceListHash(native, address, following(first))), first],
  ['no device list at all', null, first],
  ['not signed by the wallet', signDeviceList(fixedWallet(7), firstList([phone])), null],
])('a relay that shows %s is not believed', (sentence, deviceList, pinned) => {
  const published = deviceList && { deviceList, sealKeys: [] };
  expect(() => proveKeys(address, published, pinned, NOW)).toThrow(sentence);
});

test('who never had devices has none', () => {
  expect(proveKeys(address, null, null, NOW)).toBeNull();
});
