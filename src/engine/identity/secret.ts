/**
 * A secret as a person brings it: a recovery phrase or a private key, typed or pasted.
 */
import {
  isPhrase,
  isPhraseWord,
  isPrivateKey,
  type Wallet,
  walletFromKey,
  walletFromPhrase,
} from '../../protocol/wallet.ts';
import { EngineFailure } from '../failure.ts';

const KEY = /^(?:0x)?[0-9a-fA-F]{64}$/;
const PHRASE_LENGTHS = [12, 15, 18, 21, 24];

function wordsOf(secret: string): string[] {
  return secret.trim().toLowerCase().split(/\s+/);
}

function keyOf(secret: string): Uint8Array | null {
  const text = secret.trim();
  return KEY.test(text) ? new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex')) : null;
}

/** What is wrong with a secret, as a sentence, or null if a wallet can be made of it. */
export function findSecretProblem(secret: string): string | null {
  if (secret.trim() === '') return 'Enter your recovery phrase or private key.';
  const key = keyOf(secret);
  if (key) return isPrivateKey(key) ? null : 'This number is not a private key.';
  const words = wordsOf(secret);
  if (words.length === 1)
    return 'A private key has 64 hexadecimal digits; a recovery phrase has 12 to 24 words.';
  const unknown = words.find((word) => !isPhraseWord(word));
  if (unknown !== undefined) return `“${unknown}” is not a word of a recovery phrase. Is it spelled right?`;
  if (!PHRASE_LENGTHS.includes(words.length)) {
    return `A recovery phrase has 12 or 24 words; this has ${words.length}.`;
  }
  if (!isPhrase(words.join(' '))) return 'These words do not fit together. Are they in the right order?';
  return null;
}

/**
 * The wallet of a secret, and the phrase if it was one.
 * @throws EngineFailure with the sentence of {@link findSecretProblem}
 */
export function walletFromSecret(secret: string): { wallet: Wallet; phrase: string | null } {
  const problem = findSecretProblem(secret);
  if (problem !== null) throw new EngineFailure('invalid_input', problem);
  const key = keyOf(secret);
  if (key) return { wallet: walletFromKey(key), phrase: null };
  const phrase = wordsOf(secret).join(' ');
  return { wallet: walletFromPhrase(phrase), phrase };
}
