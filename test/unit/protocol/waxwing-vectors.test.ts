/**
 * Our own known answers: the files equal today's output, and each negative case is refused.
 */
import { describe, expect, test } from 'vitest';
import { toChecksumAddress } from '../../../src/protocol/address.ts';
import { importX25519, verifyEd25519 } from '../../../src/protocol/crypto.ts';
import {
  type Device,
  type DeviceList,
  findDeviceListFault,
  followsDeviceList,
} from '../../../src/protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../../../src/protocol/encoding.ts';
import { OpenError, openCopy } from '../../../src/protocol/envelope.ts';
import { nativeMlKem } from '../../../src/protocol/ml-kem/native.ts';
import { nobleMlKem } from '../../../src/protocol/ml-kem/noble.ts';
import { decodePayload, PayloadError } from '../../../src/protocol/payload.ts';
import { SealKeyRequest } from '../../../src/protocol/schemas/directory.ts';
import {
  compareSealKeys,
  findSealKeyFault,
  isPqKeyOf,
  type SealKey,
  sealKeyBytes,
  sealKeyHash,
} from '../../../src/protocol/seal-key.ts';
import { type SiweFields, verifySiwe } from '../../../src/protocol/siwe.ts';
import { importHybrid } from '../../../src/protocol/x-wing.ts';
import { withFullScrypt } from '../../support/full-scrypt.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';
import { makeVectors } from '../../support/waxwing-vectors/index.ts';

const made = withFullScrypt(makeVectors);

test.each(Object.keys(made))('%s.json equals our output', (name) => {
  // Through JSON, as the file was written: run `node scripts/make-vectors.ts` after a wanted change.
  expect(JSON.parse(JSON.stringify(made[name]))).toEqual(readVectors<object>(`waxwing/${name}.json`));
});

interface Sealed {
  why: string;
  from: string;
  to: string;
  skR: string;
  asRequest: boolean;
  ciphertext: string;
  nonce: string;
}
type Positive = Sealed & { pkE: string; payload: string };
type Negative = Sealed & { ephemeralPublicKey: string };

const sealing = readVectors<{ positive: Positive[]; negative: Negative[] }>('waxwing/sealing.json');

function open(sealed: Sealed, ephemeralPublicKey: string) {
  const copy = {
    ciphertext: bytes(sealed.ciphertext),
    ephemeralPublicKey: bytes(ephemeralPublicKey),
    nonce: bytes(sealed.nonce),
  };
  return openCopy(sealed, importX25519(bytes(sealed.skR)), copy, sealed.asRequest);
}

test('opens every sealed copy', () => {
  expect(sealing.positive).toHaveLength(5);
  for (const positive of sealing.positive) {
    expect(hex(open(positive, positive.pkE).payload), positive.why).toBe(positive.payload);
  }
});

interface HybridCopy {
  why: string;
  from: string;
  to: string;
  seed: string;
  asRequest: boolean;
  ciphertext: string;
  nonce: string;
}
const suite2 = readVectors<{
  positive: (HybridCopy & { ct_X: string; payload: string })[];
  negative: (HybridCopy & { ephemeralPublicKey: string })[];
}>('waxwing/suite2.json');

describe.each([nativeMlKem, nobleMlKem])('in suite 2, by $name', (backend) => {
  const openHybrid = (sealed: HybridCopy, ephemeralPublicKey: string) => {
    const copy = {
      ciphertext: bytes(sealed.ciphertext),
      ephemeralPublicKey: bytes(ephemeralPublicKey),
      nonce: bytes(sealed.nonce),
    };
    return openCopy(sealed, importHybrid(bytes(sealed.seed), backend), copy, sealed.asRequest);
  };

  test('opens every sealed copy', () => {
    expect(suite2.positive).toHaveLength(3);
    for (const positive of suite2.positive) {
      expect(hex(openHybrid(positive, positive.ct_X).payload), positive.why).toBe(positive.payload);
    }
  });

  test('refuses every broken copy', () => {
    expect(suite2.negative).toHaveLength(12);
    for (const negative of suite2.negative) {
      expect(() => openHybrid(negative, negative.ephemeralPublicKey), negative.why).toThrow(OpenError);
    }
  });
});

test('judges statements, keys and order of hybrid seal keys as in the file', () => {
  const file = readVectors<{
    now: string;
    address: string;
    device: Device;
    signedBytes: string;
    request: { sealKey: SealKey; pqKey: string };
    negative: { why: string; sealKey: SealKey }[];
    pqKeys: { why: string; digest: string; key: string; fits: boolean }[];
    history: {
      seen: { sealKey: SealKey; hash: string };
      shown: { why: string; sealKey: SealKey; hash: string; is: string }[];
    };
  }>('waxwing/sealkeys-v2.json');
  const { address, device, request } = file;
  const problem = (sealKey: SealKey) => findSealKeyFault(address, device, sealKey, decodeTime(file.now));
  expect(SealKeyRequest.parse(request)).toEqual(request);
  expect(problem(request.sealKey)).toBeNull();
  expect(hex(sealKeyBytes(address, request.sealKey))).toBe(file.signedBytes);
  expect(isPqKeyOf(request.sealKey.pq ?? '', decodeBase64Url(request.pqKey))).toBe(true);
  for (const { why, sealKey } of file.negative) expect(problem(sealKey), why).not.toBeNull();
  for (const { why, digest, key, fits } of file.pqKeys) {
    expect(isPqKeyOf(digest, bytes(key)), why).toBe(fits);
  }
  const reference = ({ sealKey }: { sealKey: SealKey }) => ({
    sequence: sealKey.sequence,
    hash: sealKeyHash(address, sealKey),
  });
  const { seen, shown } = file.history;
  for (const each of shown) {
    expect(problem(each.sealKey), each.why).toBeNull();
    expect(reference(each).hash, each.why).toBe(each.hash);
    expect(compareSealKeys(reference(seen), reference(each)), each.why).toBe(each.is);
    expect(compareSealKeys(null, reference(each)), each.why).toBe('newer');
  }
});

test('refuses every broken copy', () => {
  expect(sealing.negative).toHaveLength(20);
  for (const negative of sealing.negative) {
    expect(() => open(negative, negative.ephemeralPublicKey), negative.why).toThrow(OpenError);
  }
});

interface Bad {
  why: string;
  payload: string;
}

test('accepts signatures of payloads and refuses broken ones', () => {
  const payloads = readVectors<{
    signedDirect: { payload: string; deviceKey: string };
    signedGroup: { payload: string; deviceKey: string };
    notSignedBy: Bad[];
    malformed: Bad[];
  }>('waxwing/payloads.json');
  const deviceKey = bytes(payloads.signedDirect.deviceKey);
  const isSigned = (payload: string) => decodePayload(bytes(payload)).isSignedBy(deviceKey);
  expect(isSigned(payloads.signedDirect.payload)).toBe(true);
  expect(isSigned(payloads.signedGroup.payload)).toBe(true);
  for (const { why, payload } of payloads.notSignedBy) expect(isSigned(payload), why).toBe(false);
  for (const { why, payload } of payloads.malformed) {
    expect(() => decodePayload(bytes(payload)), why).toThrow(PayloadError);
  }
});

interface Devices {
  now: string;
  address: string;
  chain: { deviceList: DeviceList }[];
  badLists: { why: string; deviceList: DeviceList }[];
  sealKeys: { sealKey: SealKey; signedBytes: string; negative: { why: string; sealKey: SealKey }[] };
  sessionRenewal: { signedBytes: string; request: { signature: string } };
}

test('accepts the chain of lists and the seal key and refuses broken ones', () => {
  const { address, chain, badLists, sealKeys, sessionRenewal, ...file } =
    readVectors<Devices>('waxwing/devices.json');
  const now = decodeTime(file.now);
  const [first, second] = chain.map((entry) => entry.deviceList);
  const device = first?.devices[0];
  if (!first || !second || !device) throw new Error('the chain must have two lists');
  expect(findDeviceListFault(address, first, now)).toBeNull();
  expect(findDeviceListFault(address, second, now)).toBeNull();
  expect(followsDeviceList(address, first, second)).toBe(true);
  for (const { why, deviceList } of badLists) {
    expect(findDeviceListFault(address, deviceList, now), why).not.toBeNull();
  }

  expect(findSealKeyFault(address, device, sealKeys.sealKey, now)).toBeNull();
  for (const { why, sealKey } of sealKeys.negative) {
    expect(findSealKeyFault(address, device, sealKey, now), why).not.toBeNull();
  }

  const key = decodeBase64Url(device.key);
  for (const { signedBytes, signature } of [
    { signedBytes: sealKeys.signedBytes, signature: sealKeys.sealKey.signature },
    { signedBytes: sessionRenewal.signedBytes, signature: sessionRenewal.request.signature },
  ]) {
    expect(verifyEd25519(key, bytes(signedBytes), decodeBase64Url(signature))).toBe(true);
  }
});

test('accepts the login within its lifetime and refuses the others', () => {
  const { challenge, request, negative } = readVectors<{
    challenge: Omit<SiweFields, 'address'>;
    request: { address: string; nonce: string; signature: string };
    negative: { why: string; domain: string; now: string; signature: string }[];
  }>('waxwing/login.json');
  const fields = { ...challenge, address: toChecksumAddress(request.address) };
  const verify = (signature: string, domain: string, now: string) =>
    verifySiwe(fields, signature, { domain, nonce: request.nonce, now: Date.parse(now) });
  expect(verify(request.signature, challenge.domain, '2026-11-20T20:01:00.000Z')).toBe(true);
  for (const { why, domain, now, signature } of negative) {
    expect(verify(signature, domain, now), why).toBe(false);
  }
});
