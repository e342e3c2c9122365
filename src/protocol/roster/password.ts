/**
 * A group's password: one half is sent to the relay, which then allows its sender to read the group; the other half is
 * a key pair that signs the join and is never sent. A relay that wants to join must guess the password, at the price of
 * one scrypt for each guess.
 *
 *   k = scrypt(NFKC(password), "waxwing/join/v1" || groupId(16), N = 2^17, r = 8, p = 1, 64 bytes)
 */
import { importEd25519, type PrivateKey, scrypt } from '../crypto.ts';
import { concatBytes, decodeBase64Url, EncodingError, encodeBase64Url, encodeUtf8 } from '../encoding.ts';

const LABEL = encodeUtf8('waxwing/join/v1');
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;

export interface GroupPassword {
  /** The half for the relay: 32 bytes in base64url. The relay stores their SHA-256. */
  readonly password: string;
  /** The signing half. Its public key is the group's `joinKey`. */
  readonly key: PrivateKey;
}

/**
 * Both halves of a password in a group. Takes about half a second and 128 MiB.
 * @throws EncodingError for an empty text and for halves of surrogate pairs
 */
export async function deriveGroupPassword(password: string, groupId: string): Promise<GroupPassword> {
  const normal = password.normalize('NFKC');
  if (normal === '' || !normal.isWellFormed()) throw new EncodingError('not a password');
  const salt = concatBytes(LABEL, decodeBase64Url(groupId));
  const derived = await scrypt(encodeUtf8(normal), salt, COST, 64);
  const result = {
    password: encodeBase64Url(derived.subarray(0, 32)),
    key: importEd25519(derived.subarray(32)),
  };
  derived.fill(0);
  return result;
}
