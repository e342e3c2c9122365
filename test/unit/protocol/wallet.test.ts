import { expect, test } from 'vitest';
import { toChecksumAddress } from '../../../src/protocol/address.ts';
import {
  generatePhrase,
  isPhrase,
  isPhraseWord,
  isPrivateKey,
  recoverSigner,
  signText,
  walletFromKey,
  walletFromPhrase,
} from '../../../src/protocol/wallet.ts';
import { bytes, readVectors } from '../../support/vectors.ts';

interface EthVectors {
  eip55: { privateKey: string; address: string }[];
  eip191: { privateKey: string; address: string; message: string; signature: string }[];
  siwe: { message: string; privateKey: string; signature: string }[];
  negative: { why: string; message: string; address: string; signature: string }[];
}

// The file's EIP-712 entry is not used: nothing here signs typed data.
const vectors = readVectors<EthVectors>('eth/eip55-191-712-siwe.json');

test('the file has the expected number of cases', () => {
  const { eip55, eip191, siwe, negative } = vectors;
  expect([eip55, eip191, siwe, negative].map((cases) => cases.length)).toEqual([4, 32, 1, 4]);
});

test.each(vectors.eip55)('the address of a private key is $address', ({ privateKey, address }) => {
  const wallet = walletFromKey(bytes(privateKey));
  expect(wallet.address).toBe(address.toLowerCase());
  expect(toChecksumAddress(wallet.address)).toBe(address);
});

test.each([...vectors.eip191, ...vectors.siwe])(
  'signs and recovers as other libraries do (case %#)',
  ({ privateKey, message, signature }) => {
    const wallet = walletFromKey(bytes(privateKey));
    expect(signText(wallet, message)).toBe(signature);
    expect(recoverSigner(message, signature)).toBe(wallet.address);
    expect(recoverSigner(`${message} `, signature)).not.toBe(wallet.address);
  },
);

test.each(vectors.negative)('a signature with $why recovers no address', ({ message, signature }) => {
  expect(recoverSigner(message, signature)).toBeNull();
});

test.each([
  '',
  '0x',
  'ff'.repeat(65),
  `0x${'zz'.repeat(65)}`,
  `0x${'00'.repeat(65)}`,
  `0x${'ff'.repeat(66)}`,
])('%j is no signature', (signature) => {
  expect(recoverSigner('hello', signature)).toBeNull();
});

test('derives the first account of every Ethereum wallet from a phrase', () => {
  const wallet = walletFromPhrase('test test test test test test test test test test test junk');
  expect(wallet.address).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cffFb92266'.toLowerCase());
});

test('generates a new phrase of twelve listed words with a right checksum each time', () => {
  const phrase = generatePhrase();
  expect(phrase.split(' ')).toHaveLength(12);
  expect(phrase.split(' ').every(isPhraseWord)).toBe(true);
  expect(isPhrase(phrase)).toBe(true);
  expect(generatePhrase()).not.toBe(phrase);
});

test('refuses a phrase with a wrong checksum', () => {
  const phrase = 'test test test test test test test test test test test test';
  expect(isPhrase(phrase)).toBe(false);
  expect(() => walletFromPhrase(phrase)).toThrow('not a recovery phrase');
});

test.each([
  ['zero', '00'.repeat(32)],
  ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
  ['31 bytes', '11'.repeat(31)],
])('%s is no private key', (_what, digits) => {
  expect(isPrivateKey(bytes(digits))).toBe(false);
  expect(() => walletFromKey(bytes(digits))).toThrow('not a private key');
});
