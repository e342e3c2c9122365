/**
 * The key of the cache, wrapped for the person's recovery phrase or private key. Both lead to the same wallet
 * key, from which the wrapping key is derived (HKDF-SHA256, RFC 5869).
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openBox, SecretBox, sealBox } from './secret-box.ts';

const PURPOSE = 'waxwing data key v1 under the wallet';

/** The salt is 32 bytes in base64. */
export const RecoveryWrap = z.strictObject({
  kind: z.literal('recovery'),
  salt: z.base64(),
  ...SecretBox.shape,
});
export type RecoveryWrap = z.infer<typeof RecoveryWrap>;

/**
 * @param dataKey 32 bytes, the key of the cache
 * @param walletKey 32 bytes, the secp256k1 private key
 */
export function wrapForRecovery(dataKey: Uint8Array, walletKey: Uint8Array): RecoveryWrap {
  const salt = randomBytes(32).toString('base64');
  const key = recoveryKey(walletKey, salt);
  const box = sealBox(key, dataKey, purpose(salt));
  key.fill(0);
  return { kind: 'recovery', salt, ...box };
}

/** The data key, or null for another wallet. */
export function openRecoveryWrap(
  { salt, nonce, ciphertext }: RecoveryWrap,
  walletKey: Uint8Array,
): Buffer | null {
  const key = recoveryKey(walletKey, salt);
  const dataKey = openBox(key, { nonce, ciphertext }, purpose(salt));
  key.fill(0);
  return dataKey;
}

function recoveryKey(walletKey: Uint8Array, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', walletKey, Buffer.from(salt, 'base64'), PURPOSE, 32));
}

function purpose(salt: string): string {
  return `${PURPOSE}, salt=${salt}`;
}
