/**
 * The people of the examples, made from fixed keys: those of the published test vectors (docs/vectors).
 */
import { importEd25519, importX25519, type PrivateKey } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import { type DeviceList, signDeviceList } from '../../protocol/device-list.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { AddressKeys, HandleRecord } from '../../protocol/schemas/directory.ts';
import { type SealKey, signSealKey } from '../../protocol/seal-key.ts';
import { type Wallet, walletFromKey } from '../../protocol/wallet.ts';
import { importHybrid } from '../../protocol/x-wing.ts';

/** The time of the examples. */
export const EXAMPLE_TIME = '2026-11-20T20:00:00.000Z';
const YEAR_LATER = '2027-11-20T20:00:00.000Z';
const DAY = 24 * 3_600_000;

/** Repeated bytes, which cannot be mistaken for a secret. */
export function fixedBytes(value: number, length = 32): Uint8Array {
  return new Uint8Array(length).fill(value);
}

export interface ExamplePerson {
  wallet: Wallet;
  address: string;
  deviceKey: PrivateKey;
  deviceId: string;
  sealKey: PrivateKey;
  deviceList: DeviceList;
  sealKeyStatement: SealKey;
  profile: HandleRecord;
  keys: AddressKeys;
}

export interface ExamplePeople {
  /** Sends, with an app. Her wallet's key is 0x11…, her device's 0x21…, the seed of her hybrid seal key 0x32…. */
  ann: ExamplePerson & { pqKey: string };
  /** Receives, with a program that has no ML-KEM. His wallet's key is 0x12…, his device's 0x22…, his seal key 0x31…. */
  bob: ExamplePerson;
}

export function makePeople(): ExamplePeople {
  const hybrid = importHybrid(fixedBytes(0x32));
  const { publicKey: pqKey } = hybrid.mlKem;
  const ann = makePerson('ann', 'Ann', { wallet: 0x11, device: 0x21, sealKey: hybrid.x25519, pqKey });
  const sealKey = importX25519(fixedBytes(0x31));
  return {
    ann: { ...ann, pqKey: encodeBase64Url(pqKey) },
    bob: makePerson('bob', 'Bob', { wallet: 0x12, device: 0x22, sealKey, pqKey: null }),
  };
}

function makePerson(
  handle: string,
  displayName: string,
  keys: { wallet: number; device: number; sealKey: PrivateKey; pqKey: Uint8Array | null },
): ExamplePerson {
  const wallet = walletFromKey(fixedBytes(keys.wallet));
  const { address } = wallet;
  const deviceKey = importEd25519(fixedBytes(keys.device));
  const deviceId = encodeBase64Url(deviceIdOf(deviceKey.publicKey));
  const { sealKey, pqKey } = keys;
  const deviceList = signDeviceList(wallet, {
    sequence: 1,
    previous: null,
    issued: EXAMPLE_TIME,
    unsigned: ['api'],
    devices: [{ deviceId, key: encodeBase64Url(deviceKey.publicKey), type: 'app', validUntil: YEAR_LATER }],
  });
  const now = Date.parse(EXAMPLE_TIME);
  const times = { notBefore: now, notAfter: now + 30 * DAY };
  const sealKeyStatement = signSealKey(
    address,
    deviceKey,
    pqKey ? { x25519: sealKey.publicKey, mlKem: pqKey } : sealKey.publicKey,
    { sequence: 1, listSequence: 1 },
    times,
  );
  const profile = { handle, address, displayName, verified: true, createdAt: EXAMPLE_TIME };
  return {
    wallet,
    address,
    deviceKey,
    deviceId,
    sealKey,
    deviceList,
    sealKeyStatement,
    profile,
    keys: {
      address,
      deviceKeys: [sealKeyStatement.key],
      deviceList,
      sealKeys: [sealKeyStatement],
      profile,
    },
  };
}
