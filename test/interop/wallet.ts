import { type Hex, hashMessage, recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getAddress } from 'viem/utils';
import { must } from './refusal.ts';

/** The wallet of an address: EIP-191 signatures of secp256k1, by viem. */
export interface Wallet {
  /** As on the wire: lower case. */
  readonly address: string;
  sign(text: string): Promise<string>;
}

const HALF_ORDER = BigInt('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');

/** @param key 32 bytes, the private key */
export function walletOf(key: Uint8Array): Wallet {
  const account = privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`);
  return {
    address: account.address.toLowerCase(),
    sign: (message) => account.signMessage({ message }),
  };
}

/** The mixed case of EIP-55, as used in signed texts. */
export const checksumAddress = (address: string): string => getAddress(address);

/**
 * Reports whether `signature` is by `address` over `text`. It has one form: `0x` and 130 lower-case digits, a low s, and
 * 27 or 28 at the end; 0 and 1 are understood.
 */
export async function isSignedByWallet(address: string, text: string, signature: string): Promise<boolean> {
  if (!/^0x[0-9a-f]{130}$/.test(signature)) return false;
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER) return false;
  const v = Number.parseInt(signature.slice(130), 16);
  if (![0, 1, 27, 28].includes(v)) return false;
  const whole = (v < 27 ? signature.slice(0, 130) + (27 + v).toString(16) : signature) as Hex;
  try {
    const signer = await recoverAddress({ hash: hashMessage(text), signature: whole });
    return signer.toLowerCase() === address;
  } catch {
    return false;
  }
}

/** Refuses a signature that is not the wallet's. */
export async function mustBeSignedByWallet(address: string, text: string, signature: string): Promise<void> {
  must(await isSignedByWallet(address, text, signature), 'wrong_signature');
}
