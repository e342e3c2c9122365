/** Names of devices and bots. Apart from device lists: the sealing threads load no schemas. */
import { sha256 } from './crypto.ts';

/** The 16 bytes that name a device or bot: the beginning of SHA-256 of its Ed25519 key. */
export function deviceIdOf(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).slice(0, 16);
}
