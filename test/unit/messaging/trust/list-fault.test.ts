/** A list of devices is verified once, and another one never takes its place. */
import { expect, test } from 'vitest';
import { findListFault } from '../../../../src/messaging/trust/list-fault.ts';
import { findDeviceListFault, signDeviceList } from '../../../../src/protocol/device-list.ts';
import { firstList, fixedDevice, fixedWallet } from '../../../support/identities.ts';

const wallet = fixedWallet(0x51);
const list = signDeviceList(wallet, firstList([fixedDevice(0x61)]));
const NOW = Date.parse('2026-11-20T20:01:00.000Z');
/** A time at which the list is refused: it shows that a list is verified again. */
const BEFORE = 0;

test('a list without a fault is not verified again, also in another object', () => {
  expect(findDeviceListFault(wallet.address, list, BEFORE)).toBe('issued_in_future');
  expect(findListFault(wallet.address, list, BEFORE)).toBe('issued_in_future');
  expect(findListFault(wallet.address, list, NOW)).toBeNull();
  expect(findListFault(wallet.address, structuredClone(list), BEFORE)).toBeNull();
});

test('a list with another address, text or signature is verified', () => {
  expect(findListFault(wallet.address, list, NOW)).toBeNull();
  const other = fixedWallet(0x52);
  const changed = { ...list, devices: [fixedDevice(0x62).entry] };
  const resigned = { ...list, signature: signDeviceList(other, firstList([fixedDevice(0x61)])).signature };
  expect(findListFault(other.address, list, NOW)).toBe('signature_wrong');
  expect(findListFault(wallet.address, changed, NOW)).toBe('signature_wrong');
  expect(findListFault(wallet.address, resigned, NOW)).toBe('signature_wrong');
  expect(findListFault(wallet.address, resigned, NOW), 'a fault is not remembered as valid').toBe(
    'signature_wrong',
  );
});
