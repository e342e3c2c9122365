/**
 * A key, such as that of the cache, wrapped for the person's recovery phrase or private key. Both lead to the same wallet
 * key, from which the wrapping key is derived (HKDF-SHA256, RFC 5869).
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openBox, SecretBox, sealBox } from './secret-box.ts';

/** Keys to wrap, each with its own label. */
const PURPOSES = {
  data: 'waxwing data key v1 under the wallet',
  backup: 'waxwing backup key v1 under the wallet',
} as const;
export type WrappedKey = keyof typeof PURPOSES;

/** The salt is 32 bytes in base64. */
export const RecoveryWrap = z.strictObject({
  kind: z.literal('recovery'),
  salt: z.base64(),
  ...SecretBox.shape,
});
export type RecoveryWrap = z.infer<typeof RecoveryWrap>;

/**
 * @param secret 32 bytes, the key to wrap
 * @param walletKey 32 bytes, the secp256k1 private key
 */
export function wrapForRecovery(
  secret: Uint8Array,
  walletKey: Uint8Array,
  which: WrappedKey = 'data',
): RecoveryWrap {
  const salt = randomBytes(32).toString('base64');
  const key = recoveryKey(walletKey, salt, which);
  const box = sealBox(key, secret, purpose(salt, which));
  key.fill(0);
  return { kind: 'recovery', salt, ...box };
}

/** The wrapped key, or null for another wallet or another kind of key. */
export function openRecoveryWrap(
  { salt, nonce, ciphertext }: RecoveryWrap,
  walletKey: Uint8Array,
  which: WrappedKey = 'data',
): Buffer | null {
  const key = recoveryKey(walletKey, salt, which);
  const secret = openBox(key, { nonce, ciphertext }, purpose(salt, which));
  key.fill(0);
  return secret;
}

function recoveryKey(walletKey: Uint8Array, salt: string, which: WrappedKey): Buffer {
  return Buffer.from(hkdfSync('sha256', walletKey, Buffer.from(salt, 'base64'), PURPOSES[which], 32));
}

function purpose(salt: string, which: WrappedKey): string {
  return `${PURPOSES[which]}, salt=${salt}`;
}
