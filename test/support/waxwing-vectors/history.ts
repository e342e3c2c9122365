/**
 * Device lists of one address one after the other, and seal keys of one device: their validity beside the earlier ones.
 */
import { importX25519 } from '../../../src/protocol/crypto.ts';
import { type DeviceList, deviceListHash, signDeviceList } from '../../../src/protocol/device-list.ts';
import { signSealKey } from '../../../src/protocol/seal-key.ts';
import { firstList, fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';

const wallet = fixedWallet(0x11);
const NOW = '2026-11-20T20:00:00.000Z';
const MONTH = 30 * 24 * 3_600_000;

/** The verdict on a shown list, beside the pinned one. */
export type Becomes = 'pin' | 'fork' | 'behind' | 'nothing';

export function historyVectors() {
  const devices = [0x21, 0x22].map((value) => fixedDevice(value));
  const [phone] = devices;
  if (!phone) throw new Error('two devices were made');
  const follow = (list: DeviceList, changes: Partial<DeviceList> = {}): DeviceList =>
    signDeviceList(wallet, {
      ...list,
      sequence: list.sequence + 1,
      previous: deviceListHash(wallet.address, list),
      ...changes,
    });
  const first = signDeviceList(wallet, firstList(devices));
  const second = follow(first, { devices: [phone.entry] });
  const third = follow(second);
  const fourth = follow(third);
  const otherSecond = follow(first, { unsigned: ['api'] });
  const otherThird = follow(otherSecond);
  const foreignSecond = signDeviceList({ ...fixedWallet(0x12), address: wallet.address }, second);
  const lists = { first, second, third, fourth, otherSecond, otherThird, foreignSecond };
  type Name = keyof typeof lists;
  const at = (
    why: string,
    seen: Name[],
    shown: Name,
    between: Name[],
    becomes: Becomes,
  ): { why: string; seen: Name[]; shown: Name; between: Name[]; becomes: Becomes } => ({
    why,
    seen,
    shown,
    between,
    becomes,
  });

  const times = { notBefore: Date.parse(NOW), notAfter: Date.parse(NOW) + MONTH };
  const statement = (sequence: number, seed: number) =>
    signSealKey(
      wallet.address,
      phone.key,
      importX25519(fixedBytes(seed)).publicKey,
      { sequence, listSequence: 1 },
      times,
    );
  const keys = { one: statement(1, 0x31), two: statement(2, 0x32), otherTwo: statement(2, 0x33) };

  return {
    now: NOW,
    address: wallet.address,
    lists,
    cases: [
      at('the first list that is seen', [], 'first', [], 'pin'),
      at('the first that is seen is a later one', [], 'third', [], 'pin'),
      at('the pinned one again', ['first'], 'first', [], 'pin'),
      at('the next', ['first'], 'second', [], 'pin'),
      at('two ahead, with the one between', ['first'], 'third', ['second'], 'pin'),
      at('three ahead, with both between', ['first'], 'fourth', ['second', 'third'], 'pin'),
      at('two ahead, with nothing between', ['first'], 'third', [], 'nothing'),
      at('three ahead, with one missing', ['first'], 'fourth', ['third'], 'nothing'),
      at(
        'three ahead, with those between in the wrong order',
        ['first'],
        'fourth',
        ['third', 'second'],
        'nothing',
      ),
      at('two ahead, with one between that it does not name', ['first'], 'third', ['otherSecond'], 'nothing'),
      at('another with the pinned number', ['first', 'second'], 'otherSecond', [], 'fork'),
      at('the next, of another list than the pinned one', ['first', 'second'], 'otherThird', [], 'fork'),
      at('another with the number of a list before', ['first', 'second', 'third'], 'otherSecond', [], 'fork'),
      at('one of before', ['first', 'second', 'third'], 'second', [], 'behind'),
      at('one from before the first that was seen', ['second'], 'first', [], 'behind'),
      at('one that another wallet signed', ['first'], 'foreignSecond', [], 'nothing'),
    ],
    sealKeys: {
      keys,
      cases: [
        { why: 'the first that is seen', seen: [], shown: 'two', counts: true },
        { why: 'the same again', seen: ['two'], shown: 'two', counts: true },
        { why: 'the next', seen: ['one'], shown: 'two', counts: true },
        { why: 'the one before', seen: ['two'], shown: 'one', counts: false },
        { why: 'another with the same number', seen: ['two'], shown: 'otherTwo', counts: false },
      ],
    },
  };
}
