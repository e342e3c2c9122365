import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type Bytes, concat, fromBase64url, textBytes, toBase64url } from './bytes.ts';
import { addressBytes, idBytes } from './forms.ts';
import { type SigningKey, signingKey } from './keys.ts';

/** Values derived from the password of a group (section 11, 'Rosters'). */
export interface PasswordKeys {
  /** UTF-8 of the password in NFKC. */
  normal: Bytes;
  salt: Bytes;
  k: Bytes;
  /** The value sent to the relay, which stores its hash. */
  passwordProof: string;
  /** The Ed25519 key whose public half is in the chain as `joinKey`. */
  key: SigningKey;
}

const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const derive = promisify<Uint8Array, Uint8Array, number, object, Buffer>(scrypt);

/** Takes 128 MiB and about half a second. */
export async function passwordKeys(groupId: string, password: string): Promise<PasswordKeys> {
  const normal = textBytes(password.normalize('NFKC'));
  const salt = concat(textBytes('waxwing/join/v1'), idBytes(groupId));
  const k = new Uint8Array(await derive(normal, salt, 64, COST));
  return { normal, salt, k, passwordProof: toBase64url(k.subarray(0, 32)), key: signingKey(k.subarray(32)) };
}

/** The bytes signed by the key of a password or link for a join at one place in the chain. */
export const proofBytes = (groupId: string, previous: string, address: string): Uint8Array =>
  concat(textBytes('waxwing/join/v1'), idBytes(groupId), fromBase64url(previous, 32), addressBytes(address));

/** The bytes signed by the key of a link for permission to read the chain. */
export const admissionBytes = (groupId: string, address: string): Uint8Array =>
  concat(textBytes('waxwing/admission/v1'), idBytes(groupId), addressBytes(address));
