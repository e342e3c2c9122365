/**
 * Encryption of short secrets on this machine's disk: AES-256-GCM (NIST SP 800-38D) under a key, or under a
 * passphrase through scrypt (RFC 7914).
 *
 * The purpose of a box is authenticated, with all parameters stored beside it in the clear. A box for another
 * purpose, or with changed parameters, does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt, scryptSync } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** OWASP's first choice for scrypt: 128 MiB and a third of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
/** Needs 128 · N · r bytes and a little more; Node's own limit is 32 MiB. */
const SCRYPT_MEMORY = 256 * 1024 * 1024;

/** 12 bytes of nonce; ciphertext with its tag of 16 bytes. Both in base64. */
export const SecretBox = z.strictObject({ nonce: z.base64(), ciphertext: z.base64() });
export type SecretBox = z.infer<typeof SecretBox>;

/** A box under a passphrase, with its key derivation parameters. The salt is 32 bytes in base64. */
export const PassphraseBox = z.strictObject({
  scrypt: z.strictObject({ N: z.literal(COST.N), r: z.literal(COST.r), p: z.literal(COST.p) }),
  salt: z.base64(),
  ...SecretBox.shape,
});
export type PassphraseBox = z.infer<typeof PassphraseBox>;

/**
 * Seals under a key.
 * @param key 32 random or derived bytes, used only for this purpose
 * @param purpose of the box, with its parameters
 */
export function sealBox(key: Uint8Array, secret: Uint8Array, purpose: string): SecretBox {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(purpose, 'utf8'));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return { nonce: nonce.toString('base64'), ciphertext: sealed.toString('base64') };
}

/** Contents of a box, or null if key, purpose and box do not match. */
export function openBox(key: Uint8Array, box: SecretBox, purpose: string): Buffer | null {
  const nonce = Buffer.from(box.nonce, 'base64');
  const sealed = Buffer.from(box.ciphertext, 'base64');
  if (nonce.length !== NONCE_BYTES || sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose, 'utf8'));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Seals under a passphrase. */
export async function sealWithPassphrase(
  passphrase: string,
  secret: Uint8Array,
  purpose: string,
): Promise<PassphraseBox> {
  const salt = randomBytes(32).toString('base64');
  const key = await passphraseKey(passphrase, salt);
  const box = sealBox(key, secret, passphrasePurpose(purpose, salt));
  key.fill(0);
  return { scrypt: COST, salt, ...box };
}

/** Contents of a box, or null for another passphrase. */
export async function openWithPassphrase(
  passphrase: string,
  { salt, nonce, ciphertext }: PassphraseBox,
  purpose: string,
): Promise<Buffer | null> {
  const key = await passphraseKey(passphrase, salt);
  const secret = openBox(key, { nonce, ciphertext }, passphrasePurpose(purpose, salt));
  key.fill(0);
  return secret;
}

/** {@link sealWithPassphrase} for a program that can block. */
export function sealWithPassphraseSync(
  passphrase: string,
  secret: Uint8Array,
  purpose: string,
): PassphraseBox {
  const salt = randomBytes(32).toString('base64');
  const key = passphraseKeySync(passphrase, salt);
  return { scrypt: COST, salt, ...sealBox(key, secret, passphrasePurpose(purpose, salt)) };
}

/** {@link openWithPassphrase} for a program that can block. */
export function openWithPassphraseSync(
  passphrase: string,
  { salt, nonce, ciphertext }: PassphraseBox,
  purpose: string,
): Buffer | null {
  const key = passphraseKeySync(passphrase, salt);
  return openBox(key, { nonce, ciphertext }, passphrasePurpose(purpose, salt));
}

function passphraseKeySync(passphrase: string, salt: string): Buffer {
  const options = { ...COST, maxmem: SCRYPT_MEMORY };
  return scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), KEY_BYTES, options);
}

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** Keyboards may produce the same characters as different bytes: NFKC unifies them (RFC 8265). */
function passphraseKey(passphrase: string, salt: string): Promise<Buffer> {
  const options = { ...COST, maxmem: SCRYPT_MEMORY };
  return scryptAsync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), KEY_BYTES, options);
}

function passphrasePurpose(purpose: string, salt: string): string {
  return `${purpose} under a passphrase, scrypt N=${COST.N} r=${COST.r} p=${COST.p} salt=${salt}`;
}
