/**
 * Bots with keys of their own (docs/protocol.md, 'Bots'): a group's roster names the public half, so its signed posts are
 * shown under its name, and the group need not allow unsigned messages.
 *
 *   secret = "wxb_" || 43 characters: an Ed25519 seed in base64url, never sent to a relay
 *   botId  = the first 16 bytes of SHA-256 of the public key
 *   auth   = 0x02 | botId(16) | signature(64)        over the same bytes as a device's
 */
import { importEd25519, type PrivateKey, randomBytes } from './crypto.ts';
import { deviceIdOf } from './device-id.ts';
import { decodeBase64Url, encodeBase64Url } from './encoding.ts';

const PREFIX = 'wxb_';
const SEED_BYTES = 32;

/** A new bot's secret. Shown once, beside its group token. */
export function newBotSecret(): string {
  return PREFIX + encodeBase64Url(randomBytes(SEED_BYTES));
}

/** The key of a bot's secret; null for an invalid text. */
export function readBotSecret(text: string): PrivateKey | null {
  if (!text.startsWith(PREFIX)) return null;
  try {
    const seed = decodeBase64Url(text.slice(PREFIX.length));
    return seed.length === SEED_BYTES ? importEd25519(seed) : null;
  } catch {
    return null;
  }
}

/** The id of a bot: 16 bytes in base64url. @param publicKey 32 bytes */
export function botIdOf(publicKey: Uint8Array): string {
  return encodeBase64Url(deviceIdOf(publicKey));
}

/**
 * Reports whether a key is that of the bot that signed a payload.
 * @param key Ed25519 public key in base64url
 */
export function isOfBot(
  { botId, isSignedBy }: { botId: string | null; isSignedBy(key: Uint8Array): boolean },
  key: string,
): boolean {
  const bytes = decodeBase64Url(key);
  return botId === botIdOf(bytes) && isSignedBy(bytes);
}
