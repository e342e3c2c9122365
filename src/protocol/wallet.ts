/**
 * The wallet behind an address: a secp256k1 key that signs texts as EIP-191 `personal_sign`.
 */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { addr, eip191Signer } from 'micro-eth-signer';
import { ethHex, initSig, recoverPublicKey } from 'micro-eth-signer/utils.js';

const PATH = "m/44'/60'/0'/0/0"; // BIP-44, the first account that every Ethereum wallet derives
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

/** A private key of 32 bytes with the address that belongs to it (wire form). */
export interface Wallet {
  readonly privateKey: Uint8Array;
  readonly address: string;
}

/** A new recovery phrase: 12 English words (BIP-39, 128 bits of entropy). */
export function generatePhrase(): string {
  return generateMnemonic(wordlist, 128);
}

/**
 * Reports whether a phrase is valid in BIP-39: 12 to 24 words with one space between them, and the right checksum.
 */
export function isPhrase(phrase: string): boolean {
  return validateMnemonic(phrase, wordlist);
}

/** Reports whether a word is in BIP-39's English list. */
export function isPhraseWord(word: string): boolean {
  return wordlist.includes(word);
}

/**
 * The wallet of a recovery phrase.
 * @throws Error unless {@link isPhrase}
 */
export function walletFromPhrase(phrase: string): Wallet {
  if (!isPhrase(phrase)) throw new Error('not a recovery phrase');
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(phrase)).derive(PATH);
  if (!privateKey) throw new Error('the phrase derives no key');
  return walletFromKey(privateKey);
}

/** Reports whether 32 bytes are a private key of secp256k1. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && addr.isValidPrivateKey(bytes);
}

/**
 * The wallet of a private key of 32 bytes.
 * @throws Error unless {@link isPrivateKey}
 */
export function walletFromKey(privateKey: Uint8Array): Wallet {
  if (!isPrivateKey(privateKey)) throw new Error('not a private key');
  return { privateKey: Uint8Array.from(privateKey), address: addr.fromPrivateKey(privateKey).toLowerCase() };
}

/** EIP-191 `personal_sign` of a text: `0x` and 130 hex digits, deterministic (RFC 6979), low s. */
export function signText(wallet: Wallet, text: string): string {
  return eip191Signer.sign(text, `0x${hex(wallet.privateKey)}`, false);
}

/**
 * The address whose wallet signed a text (EIP-191), in wire form; null for an invalid signature: another length, a
 * high s, or a recovery byte other than 27 and 28 (or 0 and 1, as some wallets write).
 */
export function recoverSigner(text: string, signature: string): string | null {
  if (!SIGNATURE.test(signature)) return null;
  const recovery = Number.parseInt(signature.slice(-2), 16);
  const bit = recovery < 2 ? recovery : recovery - 27;
  if (bit !== 0 && bit !== 1) return null;
  try {
    const parts = initSig(ethHex.decode(signature.slice(0, -2)), bit);
    if (parts.hasHighS()) return null;
    // Verifying would repeat the work: every signature is valid for its recovered key. eip191Signer verifies too, at
    // twice the cost.
    const publicKey = recoverPublicKey(parts, ethHex.decode(eip191Signer.getHash(text)));
    return addr.fromPublicKey(publicKey).toLowerCase();
  } catch {
    return null;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
