import fc, { constantFrom, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { importX25519 } from '../../../src/protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { findSealKeyFault, MAX_SEAL_KEY_LIFE, SealKey, signSealKey } from '../../../src/protocol/seal-key.ts';
import { fixedBytes, fixedDevice, fixedWallet } from '../../support/identities.ts';
import { bytes } from '../../support/vectors.ts';

const { address } = fixedWallet(0x11);
const device = fixedDevice(0x21);
const key = importX25519(fixedBytes(0x31)).publicKey;
const notBefore = Date.parse('2026-11-20T20:00:00.000Z');
const notAfter = notBefore + MAX_SEAL_KEY_LIFE;
const statement = signSealKey(
  address,
  device.key,
  key,
  { sequence: 1, listSequence: 1 },
  { notBefore, notAfter },
);

/** The statement with other content, signed rightly. */
function signed(changed: { key?: Uint8Array; notBefore?: number; notAfter?: number }): SealKey {
  const times = { notBefore: changed.notBefore ?? notBefore, notAfter: changed.notAfter ?? notAfter };
  return signSealKey(address, device.key, changed.key ?? key, { sequence: 1, listSequence: 1 }, times);
}

const problem = (sealKey: SealKey, now = notBefore) => findSealKeyFault(address, device.entry, sealKey, now);

test('accepts a key signed by its device during its lifetime', () => {
  expect(SealKey.parse(statement)).toEqual(statement);
  expect(problem(statement)).toBeNull();
  expect(problem(statement, notAfter - 1)).toBeNull();
});

test('refuses a key with any changed byte', () => {
  fc.assert(
    property(constantFrom('key', 'signature'), nat(63), (field, position) => {
      const raw = decodeBase64Url(statement[field]);
      const changed = raw.map((byte, index) => (index === position % raw.length ? byte ^ 1 : byte));
      expect(problem({ ...statement, [field]: encodeBase64Url(changed) })).not.toBeNull();
    }),
    { numRuns: 60 },
  );
  expect(problem({ ...statement, sequence: 2 })).toBe('signature_wrong');
  expect(problem({ ...statement, listSequence: 2 })).toBe('signature_wrong');
  expect(problem({ ...statement, notBefore: '2026-11-20T20:00:00.001Z' })).toBe('signature_wrong');
  expect(problem({ ...statement, notAfter: '2026-11-21T20:00:00.000Z' })).toBe('signature_wrong');
});

test('refuses a key for another address or device', () => {
  const other = fixedDevice(0x22);
  const elsewhere = fixedWallet(0x12).address;
  expect(findSealKeyFault(elsewhere, device.entry, statement, notBefore)).toBe('signature_wrong');
  expect(findSealKeyFault(address, other.entry, statement, notBefore)).toBe('other_device');
});

test.each([
  ['has low order', '00'.repeat(32)],
  ['is not canonical', `${'ff'.repeat(31)}7f`],
])('a key that %s may not be used, though it is signed', (_what, digits) => {
  expect(problem(signed({ key: bytes(digits) }))).toBe('key_unusable');
});

test('refuses a lifetime of more than 45 days, of zero, or negative', () => {
  expect(problem(signed({ notAfter: notAfter + 1 }))).toBe('life_long');
  expect(problem(signed({ notAfter: notBefore }))).toBe('life_long');
  expect(problem(signed({ notAfter: notBefore - 1 }))).toBe('life_long');
});

test('refuses a key outside its lifetime or its device’s', () => {
  expect(problem(statement, notBefore - 5 * 60_000 - 1)).toBe('too_early');
  expect(problem(statement, notAfter)).toBe('expired');
  const ended = { ...device.entry, validUntil: '2026-11-20T20:00:00.000Z' };
  expect(findSealKeyFault(address, ended, statement, notBefore)).toBe('device_expired');
});
