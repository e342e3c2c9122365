import { expect, test } from 'vitest';
import { AddressError, toChecksumAddress, toWireAddress } from '../../../src/protocol/address.ts';
import { EncodingError } from '../../../src/protocol/encoding.ts';
import { addressBytes, isWireAddress } from '../../../src/protocol/wire-address.ts';
import { hex } from '../../support/vectors.ts';

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'; // from EIP-55
const WIRE = CHECKSUMMED.toLowerCase();

test('an address has one form on the wire and one on screen', () => {
  expect(toWireAddress(CHECKSUMMED)).toBe(WIRE);
  expect(toWireAddress(WIRE)).toBe(WIRE);
  expect(toChecksumAddress(WIRE)).toBe(CHECKSUMMED);
  expect(toChecksumAddress(CHECKSUMMED)).toBe(CHECKSUMMED);
  expect(`0x${hex(addressBytes(WIRE))}`).toBe(WIRE);
});

test('detects a mistyped capital letter', () => {
  expect(() => toWireAddress(CHECKSUMMED.replace('aAeb', 'aaeb'))).toThrow(new AddressError('checksum'));
});

test.each([
  '',
  '0x',
  WIRE.slice(2),
  `${WIRE}0`,
  WIRE.slice(0, -1),
  `0X${WIRE.slice(2)}`,
  WIRE.replace('5', 'g'),
  WIRE.replace('5', '`'),
  WIRE.replace('5', ':'),
  WIRE.replace('5', '/'),
  WIRE.replace('5', '\u0135'),
])('%j is no address', (text) => {
  expect(isWireAddress(text)).toBe(false);
  expect(() => toWireAddress(text)).toThrow(new AddressError('form'));
  expect(() => addressBytes(text)).toThrow(EncodingError);
});

test('accepts only lower case on the wire', () => {
  expect(isWireAddress(WIRE)).toBe(true);
  expect(isWireAddress(CHECKSUMMED)).toBe(false);
  expect(() => addressBytes(CHECKSUMMED)).toThrow(EncodingError);
});
