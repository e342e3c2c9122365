/** A secret as the person enters it: a recovery phrase or a private key, typed or pasted. */

import {
  isPhrase,
  isPhraseWord,
  isPrivateKey,
  type Wallet,
  walletFromKey,
  walletFromPhrase,
} from '../protocol/wallet.ts';
import { Failure } from './failure.ts';

const KEY = /^(?:0x)?[0-9a-fA-F]{64}$/;
const PHRASE_LENGTHS = [12, 15, 18, 21, 24];

function wordsOf(secret: string): string[] {
  return secret.trim().toLowerCase().split(/\s+/);
}

function keyOf(secret: string): Uint8Array | null {
  const text = secret.trim();
  return KEY.test(text) ? new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex')) : null;
}

/** The problem of a secret; null if it makes a wallet. */
export function findSecretProblem(secret: string): Failure | null {
  if (secret.trim() === '') return new Failure('secret_empty');
  const key = keyOf(secret);
  if (key) return isPrivateKey(key) ? null : new Failure('secret_no_key');
  const words = wordsOf(secret);
  if (words.length === 1) return new Failure('secret_one_word');
  const unknown = words.find((word) => !isPhraseWord(word));
  if (unknown !== undefined) return new Failure('secret_unknown_word', { word: unknown });
  if (!PHRASE_LENGTHS.includes(words.length)) {
    return new Failure('secret_length', { words: words.length });
  }
  if (!isPhrase(words.join(' '))) return new Failure('secret_order');
  return null;
}

/**
 * The wallet of a secret, and the phrase if it was one.
 * @throws the problem of {@link findSecretProblem}
 */
export function walletFromSecret(secret: string): { wallet: Wallet; phrase: string | null } {
  const problem = findSecretProblem(secret);
  if (problem !== null) throw problem;
  const key = keyOf(secret);
  if (key) return { wallet: walletFromKey(key), phrase: null };
  const phrase = wordsOf(secret).join(' ');
  return { wallet: walletFromPhrase(phrase), phrase };
}
