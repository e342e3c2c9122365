import fc, { constantFrom, nat, property, record, shuffledSubarray } from 'fast-check';
import { expect, test } from 'vitest';
import {
  DeviceList,
  deviceListHash,
  deviceListText,
  findDeviceListFault,
  followsDeviceList,
  signDeviceList,
} from '../../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { firstList, fixedBytes, fixedDevice, fixedWallet } from '../../support/identities.ts';

const wallet = fixedWallet(0x11);
const devices = [0x21, 0x22, 0x23].map((value) => fixedDevice(value));
const [phone, laptop] = devices.map(({ entry }) => entry);
if (!phone || !laptop) throw new Error('two devices are needed');
const unsigned = firstList(devices);
const list = signDeviceList(wallet, unsigned);
const now = Date.parse('2026-11-20T20:01:00.000Z');

test('signs exactly the text of the protocol', () => {
  const one = { ...unsigned, devices: [phone], unsigned: ['api'] as ['api'] };
  expect(deviceListText(wallet.address, one)).toBe(
    [
      'Waxwing device list v1',
      'Sign only inside Waxwing. This lets the devices below read and send your messages.',
      'Address: 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      'Sequence: 1',
      'Previous: none',
      'Issued: 2026-11-20T20:00:00.000Z',
      'Unsigned: api',
      `Device: ${phone.deviceId} ${phone.key} app 2027-11-20T20:00:00.000Z`,
    ].join('\n'),
  );
});

test('orders devices in the text by ASCII, independent of their order in JSON', () => {
  const text = deviceListText(wallet.address, unsigned);
  const ids = text
    .split('\n')
    .filter((line) => line.startsWith('Device: '))
    .map((line) => line.split(' ')[1] ?? '');
  expect(ids).toEqual([...ids].sort((a, b) => Buffer.compare(encodeUtf8(a), encodeUtf8(b))));
  fc.assert(
    property(shuffledSubarray(unsigned.devices, { minLength: 3 }), (shuffled) => {
      expect(deviceListText(wallet.address, { ...unsigned, devices: shuffled })).toBe(text);
      expect(findDeviceListFault(wallet.address, { ...list, devices: shuffled }, now)).toBeNull();
    }),
    { numRuns: 6 },
  );
});

const problem = (changed: Partial<DeviceList>, at = now, address = wallet.address) =>
  findDeviceListFault(address, { ...list, ...changed }, at);

test('accepts a list signed by its wallet', () => {
  expect(DeviceList.parse(list)).toEqual(list);
  expect(problem({})).toBeNull();
});

test('refuses a list with any changed field', () => {
  const changes = record({
    field: constantFrom('sequence', 'issued', 'unsigned', 'devices', 'validUntil', 'type', 'signature'),
    position: nat(129),
  });
  fc.assert(
    property(changes, ({ field, position }) => {
      const otherDigit = list.signature[position + 2] === '0' ? '1' : '0';
      const changed: Record<typeof field, Partial<DeviceList>> = {
        sequence: { sequence: 2, previous: encodeBase64Url(fixedBytes(1)) },
        issued: { issued: '2026-11-20T19:59:59.999Z' },
        unsigned: { unsigned: ['api'] },
        devices: { devices: list.devices.slice(1) },
        validUntil: { devices: [{ ...phone, validUntil: '2027-12-01T00:00:00.000Z' }] },
        type: { devices: [{ ...phone, type: 'api' }, ...list.devices.slice(1)] },
        signature: {
          signature: list.signature.slice(0, position + 2) + otherDigit + list.signature.slice(position + 3),
        },
      };
      expect(problem(changed[field])).toBe('signature_wrong');
    }),
    { numRuns: 60 },
  );
});

test.each<[string, Partial<DeviceList>, string]>([
  ['a device twice', { devices: [phone, phone] }, 'device_twice'],
  [
    'a device that is valid too long',
    { devices: [{ ...phone, validUntil: '2027-12-25T20:00:00.001Z' }] },
    'device_life_long',
  ],
  ['an id of another key', { devices: [{ ...phone, key: laptop.key }] }, 'device_id_wrong'],
  ['no previous one though it is the second', { sequence: 2 }, 'previous_wrong'],
  ['a previous one though it is the first', { previous: encodeBase64Url(fixedBytes(1)) }, 'previous_wrong'],
])('a list with %s is refused', (_what, changed, fault) => {
  expect(problem(changed)).toBe(fault);
});

test('refuses a list from more than five minutes in the future', () => {
  const issued = Date.parse(list.issued);
  expect(problem({}, issued - 5 * 60_000)).toBeNull();
  expect(problem({}, issued - 5 * 60_000 - 1)).toBe('issued_in_future');
});

test('refuses a list for another address', () => {
  expect(problem({}, now, fixedWallet(0x12).address)).toBe('signature_wrong');
});

test('a chain counts up by one and names the previous text', () => {
  const previous = deviceListHash(wallet.address, unsigned);
  const next = { ...unsigned, sequence: 2, previous };
  const follows = (changed: object) => followsDeviceList(wallet.address, list, { ...next, ...changed });
  expect(follows({})).toBe(true);
  expect(follows({ sequence: 3 })).toBe(false);
  expect(follows({ sequence: 1 })).toBe(false);
  expect(follows({ previous: null })).toBe(false);
  expect(follows({ previous: encodeBase64Url(fixedBytes(1)) })).toBe(false);
  expect(followsDeviceList(wallet.address, null, unsigned)).toBe(true);
  expect(followsDeviceList(wallet.address, null, next)).toBe(false);
});

test.each<[string, object]>([
  ['no device', { devices: [] }],
  ['more than 16 devices', { devices: Array.from({ length: 17 }, () => phone) }],
  ['sequence 0', { sequence: 0 }],
  ['a sequence above u32', { sequence: 2 ** 32 }],
  ['unsigned messages of bots, which groups allow', { unsigned: ['bots'] }],
  ['an unsigned kind twice', { unsigned: ['api', 'api'] }],
  ['an unknown unsigned kind', { unsigned: ['all'] }],
  ['a time without milliseconds', { issued: '2026-11-20T20:00:00Z' }],
  ['a short signature', { signature: list.signature.slice(0, -2) }],
  ['a deviceId that is padded', { devices: [{ ...phone, deviceId: `${phone.deviceId}==` }] }],
  ['an unknown field', { comment: 'hello' }],
])('a list with %s does not have the right form', (_what, changed) => {
  expect(DeviceList.safeParse({ ...list, ...changed }).success).toBe(false);
});
