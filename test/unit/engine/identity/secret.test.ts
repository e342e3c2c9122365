import { expect, test } from 'vitest';
import { findSecretProblem, walletFromSecret } from '../../../../src/base/wallet-secret.ts';

const PHRASE = 'test test test test test test test test test test test junk';
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** First account of this well-known phrase in every Ethereum wallet; the key above is its key. */
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

test('a recovery phrase and the private key of its first account give the same address', () => {
  expect(walletFromSecret(PHRASE)).toMatchObject({ wallet: { address: ADDRESS }, phrase: PHRASE });
  expect(walletFromSecret(KEY)).toMatchObject({ wallet: { address: ADDRESS }, phrase: null });
});

test('accepts white space, capital letters and a missing 0x', () => {
  expect(walletFromSecret(`  ${PHRASE.toUpperCase().replaceAll(' ', '\n ')} `).wallet.address).toBe(ADDRESS);
  expect(walletFromSecret(` ${KEY.slice(2)}\n`).wallet.address).toBe(ADDRESS);
});

test.each([
  ['', 'secret_empty'],
  ['hello', 'secret_one_word'],
  [KEY.slice(0, -1), 'secret_one_word'],
  [`0x${'0'.repeat(64)}`, 'secret_no_key'],
  [PHRASE.replace('junk', 'junq'), 'secret_unknown_word'],
  [PHRASE.replace(' junk', ''), 'secret_length'],
  [PHRASE.replace('junk', 'test'), 'secret_order'],
])('%j is refused with its fault', (secret, code) => {
  expect(findSecretProblem(secret)).toMatchObject({ code });
  expect(() => walletFromSecret(secret)).toThrow(expect.objectContaining({ code }));
});
