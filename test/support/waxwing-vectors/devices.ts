/**
 * Device lists in a chain, seal keys and session renewals.
 */

import { importEd25519, importX25519, sha256, signEd25519 } from '../../../src/protocol/crypto.ts';
import {
  type DeviceList,
  deviceListHash,
  deviceListText,
  signDeviceList,
  type UnsignedDeviceList,
} from '../../../src/protocol/device-list.ts';
import {
  concatBytes,
  encodeBase64Url,
  encodeU32,
  encodeU64,
  encodeUtf8,
} from '../../../src/protocol/encoding.ts';
import { type SealKey, signSealKey } from '../../../src/protocol/seal-key.ts';
import { sessionRenewalBytes } from '../../../src/protocol/session-renewal.ts';
import { addressBytes } from '../../../src/protocol/wire-address.ts';
import { type FixedDevice, firstList, fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';
import { hex } from '../vectors.ts';

const wallet = fixedWallet(0x11);
const NOT_BEFORE = Date.parse('2026-11-20T20:00:00.000Z');
const FORTY_FIVE_DAYS = 45 * 24 * 3_600_000;

function listEntry(list: DeviceList) {
  return {
    text: deviceListText(wallet.address, list),
    hash: deviceListHash(wallet.address, list),
    deviceList: list,
  };
}

function badLists(list: DeviceList) {
  const [device] = list.devices;
  if (!device) throw new Error('a list has a device');
  const sign = (changed: Partial<UnsignedDeviceList>) => signDeviceList(wallet, { ...list, ...changed });
  const recovery = list.signature.endsWith('1b') ? '1c' : '1b';
  return [
    { why: 'a field is not the signed one', deviceList: { ...list, unsigned: ['api'] } },
    {
      why: 'another wallet signed',
      deviceList: signDeviceList({ ...fixedWallet(0x12), address: wallet.address }, list),
    },
    {
      why: 's is in the upper half: the same signature in another form',
      deviceList: { ...list, signature: highS(list.signature, recovery) },
    },
    {
      why: 'a deviceId is not the hash of its key',
      deviceList: sign({
        devices: [{ ...device, key: encodeBase64Url(importEd25519(fixedBytes(0x29)).publicKey) }],
      }),
    },
    {
      why: 'a device that is valid for a millisecond more than 400 days after the list was issued',
      deviceList: sign({ devices: [{ ...device, validUntil: '2027-12-25T20:00:00.001Z' }] }),
    },
    { why: 'a device twice', deviceList: sign({ devices: [device, device] }) },
    { why: 'the second without a previous one', deviceList: sign({ sequence: 2 }) },
    {
      why: 'issued six minutes after now, one more than a clock may be ahead',
      deviceList: sign({ issued: '2026-11-20T20:06:00.000Z' }),
    },
  ];
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function highS(signature: string, recovery: string): string {
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  return `${signature.slice(0, 66)}${(ORDER - s).toString(16).padStart(64, '0')}${recovery}`;
}

function sealKeyVectors(device: FixedDevice) {
  const key = importX25519(fixedBytes(0x31)).publicKey;
  const times = { notBefore: NOT_BEFORE, notAfter: NOT_BEFORE + FORTY_FIVE_DAYS };
  const sign = (changed: Partial<typeof times>, sealed = key): SealKey =>
    signSealKey(
      wallet.address,
      device.key,
      sealed,
      { sequence: 1, listSequence: 1 },
      { ...times, ...changed },
    );
  const statement = sign({});
  return {
    sealKeySecret: hex(fixedBytes(0x31)),
    signedBytes: hex(
      concatBytes(
        encodeUtf8('waxwing/sealkey/v2'),
        addressBytes(wallet.address),
        sha256(device.key.publicKey).slice(0, 16),
        key,
        new Uint8Array(32),
        encodeU32(1),
        encodeU32(1),
        encodeU64(times.notBefore),
        encodeU64(times.notAfter),
      ),
    ),
    sealKey: statement,
    negative: [
      { why: 'the sequence is not the signed one', sealKey: { ...statement, sequence: 2 } },
      { why: 'the list is not the signed one', sealKey: { ...statement, listSequence: 2 } },
      { why: 'a life of 45 days and a millisecond', sealKey: sign({ notAfter: times.notAfter + 1 }) },
      { why: 'ends when it begins', sealKey: sign({ notAfter: times.notBefore }) },
      { why: 'not valid for six minutes yet', sealKey: sign({ notBefore: NOT_BEFORE + 360_000 }) },
      { why: 'expired', sealKey: sign({ notBefore: NOT_BEFORE - 2, notAfter: NOT_BEFORE }) },
      { why: 'the key is all zero', sealKey: sign({}, new Uint8Array(32)) },
      { why: 'the key is not canonical', sealKey: sign({}, new Uint8Array(32).fill(0xff).with(31, 0x7f)) },
    ],
  };
}

export function deviceVectors() {
  const devices = [0x21, 0x22, 0x23].map((value) => fixedDevice(value));
  const [phone] = devices;
  if (!phone) throw new Error('three devices were made');
  const first = signDeviceList(wallet, firstList(devices.slice(0, 1)));
  const second = signDeviceList(wallet, {
    ...firstList([...devices].reverse()),
    sequence: 2,
    previous: deviceListHash(wallet.address, first),
    issued: '2026-11-20T20:01:00.000Z',
    unsigned: ['api'],
  });
  const domain = 'relay.example:8443';
  const issuedAt = '2026-11-20T20:00:00.000Z';
  const renewal = sessionRenewalBytes(wallet.address, phone.entry.deviceId, issuedAt, domain);
  return {
    now: '2026-11-20T20:00:00.000Z',
    address: wallet.address,
    walletKey: hex(wallet.privateKey),
    deviceSeeds: [0x21, 0x22, 0x23].map((value) => hex(fixedBytes(value))),
    chain: [listEntry(first), listEntry(second)],
    badLists: badLists(first),
    sealKeys: sealKeyVectors(phone),
    sessionRenewal: {
      domain,
      deviceSeed: hex(fixedBytes(0x21)),
      signedBytes: hex(renewal),
      request: {
        address: wallet.address,
        deviceId: phone.entry.deviceId,
        issuedAt,
        signature: encodeBase64Url(signEd25519(phone.key, renewal)),
      },
    },
  };
}
