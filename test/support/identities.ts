/**
 * A wallet with certified devices, made from fixed keys, for tests and vectors of the protocol.
 */
import { importEd25519, type PrivateKey } from '../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../src/protocol/device-id.ts';
import type { Device, UnsignedDeviceList } from '../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../src/protocol/encoding.ts';
import { type Wallet, walletFromKey } from '../../src/protocol/wallet.ts';

/** 32 bytes of one value: a private key that is clearly not a secret. */
export function fixedBytes(value: number): Uint8Array {
  return new Uint8Array(32).fill(value);
}

export function fixedWallet(value: number): Wallet {
  return walletFromKey(fixedBytes(value));
}

export interface FixedDevice {
  key: PrivateKey;
  entry: Device;
}

export function fixedDevice(value: number, type: Device['type'] = 'app'): FixedDevice {
  const key = importEd25519(fixedBytes(value));
  return {
    key,
    entry: {
      deviceId: encodeBase64Url(deviceIdOf(key.publicKey)),
      key: encodeBase64Url(key.publicKey),
      type,
      validUntil: '2027-11-20T20:00:00.000Z',
    },
  };
}

export function firstList(devices: readonly FixedDevice[]): UnsignedDeviceList {
  return {
    sequence: 1,
    previous: null,
    issued: '2026-11-20T20:00:00.000Z',
    unsigned: [],
    devices: devices.map(({ entry }) => entry),
  };
}
