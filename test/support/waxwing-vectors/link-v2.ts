/**
 * Linking a computer without the wallet: codes, waiting entries under one, offers, and the accepted ones.
 */
import { importEd25519 } from '../../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../../src/protocol/device-id.ts';
import {
  type DeviceList,
  deviceListHash,
  listReferenceOf,
  signDeviceList,
  type UnsignedDeviceList,
} from '../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { formatLinkCode, LINK_PREFIX } from '../../../src/protocol/linking/code.ts';
import { firstList, fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';
import { bytes, hex } from '../vectors.ts';

const wallet = fixedWallet(0x11);
const stranger = fixedWallet(0x12);
const COUNTING = '000102030405060708090a0b0c0d0e0f';

export function linkV2Vectors() {
  const [own, old, third] = [0x25, 0x21, 0x26].map((seed) => fixedDevice(seed)) as [Device, Device, Device];
  const deviceId = deviceIdOf(own.key.publicKey);
  const code = formatLinkCode(deviceId);
  const other = encodeBase64Url(importEd25519(fixedBytes(0x27)).publicKey);
  return {
    codes: ['00'.repeat(16), COUNTING, 'ff'.repeat(16)].map((coded) => ({
      deviceId: coded,
      code: formatLinkCode(bytes(coded)),
    })),
    device: {
      seed: hex(fixedBytes(0x25)),
      key: own.entry.key,
      deviceId: own.entry.deviceId,
      code,
      qr: `${LINK_PREFIX}${code}`,
      alsoRead: [
        code.toLowerCase(),
        code.replaceAll('-', ''),
        ` ${code.replaceAll('-', ' ')} `,
        LINK_PREFIX + code,
      ],
    },
    badCodes: [
      { why: 'nothing', code: '' },
      { why: 'one character is missing', code: code.slice(0, -1) },
      { why: 'one character too many', code: `${code}0` },
      { why: 'a U', code: `U${code.slice(1)}` },
      { why: 'the last character is another', code: code.slice(0, -1) + (code.endsWith('0') ? '1' : '0') },
    ],
    waiting: [
      {
        why: 'the computer that showed the code',
        isDevice: true,
        shown: { key: own.entry.key, name: 'Laptop' },
      },
      { why: 'the relay shows another key', isDevice: false, shown: { key: other, name: 'Laptop' } },
    ],
    badRequests: [
      { why: 'no name', request: { key: own.entry.key } },
      { why: 'an empty name', request: { key: own.entry.key, name: '' } },
      { why: 'a name of 81 characters', request: { key: own.entry.key, name: 'n'.repeat(81) } },
      { why: 'a name with a control character', request: { key: own.entry.key, name: 'a\u001b[2J' } },
      {
        why: 'a key of 31 bytes',
        request: { key: encodeBase64Url(fixedBytes(1).subarray(1)), name: 'Laptop' },
      },
      { why: 'a further field', request: { key: own.entry.key, name: 'Laptop', secret: 'words' } },
    ],
    offers: offers(own, old, third),
  };
}

type Device = ReturnType<typeof fixedDevice>;

function offers(own: Device, old: Device, third: Device) {
  const sign = (list: UnsignedDeviceList) => signDeviceList(wallet, list);
  const after = (before: UnsignedDeviceList, ...devices: Device[]): UnsignedDeviceList => ({
    ...firstList(devices),
    sequence: before.sequence + 1,
    previous: deviceListHash(wallet.address, before),
    issued: '2026-11-20T20:01:00.000Z',
  });
  const first = sign(firstList([old]));
  const offered = sign(after(first, old, own));
  const newer = sign(after(offered, old, own, third));
  const without = sign(after(newer, old, third));
  const offer = { address: wallet.address, list: listReferenceOf(wallet.address, offered) };
  const ended = sign({
    ...after(first, old),
    devices: [old.entry, { ...own.entry, validUntil: '2026-11-20T20:01:30.000Z' }],
  });
  const now = '2026-11-20T20:02:00.000Z';
  const is = (why: string, problem: string | null, lists: DeviceList[], more: object = {}) => ({
    why,
    now,
    offer,
    key: own.entry.key,
    lists,
    problem,
    ...more,
  });
  return [
    is('the list that was offered is the newest', null, [offered]),
    is('another device was added since', null, [offered, newer]),
    is('no list', 'another_list', []),
    is('the list before the one that was offered', 'another_list', [first]),
    is('a list with the number and another text', 'another_list', [sign(after(first, own))]),
    is('a list between is missing', 'gap', [offered, without]),
    is('a list follows another one', 'gap', [
      offered,
      sign({ ...newer, previous: encodeBase64Url(fixedBytes(9)) }),
    ]),
    is('another wallet signed the newest', 'unproven', [
      offered,
      signDeviceList({ ...stranger, address: wallet.address }, newer),
    ]),
    is('the offer names another address', 'another_list', [offered], {
      offer: { ...offer, address: stranger.address },
    }),
    is('this computer was removed again', 'without_this_device', [offered, newer, without]),
    is('the list that was offered lacks this computer', 'without_this_device', [first], {
      offer: { ...offer, list: listReferenceOf(wallet.address, first) },
    }),
    is('only a later list has this computer', 'without_this_device', [first, offered], {
      offer: { ...offer, list: listReferenceOf(wallet.address, first) },
    }),
    is('this computer is no longer let in', 'without_this_device', [ended], {
      offer: { ...offer, list: listReferenceOf(wallet.address, ended) },
    }),
  ];
}
