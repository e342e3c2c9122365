/**
 * The hash over a group's members, by which two people who are shown different groups find out.
 */
import { addressBytes } from './address.ts';
import { sha256 } from './crypto.ts';
import { concatBytes, encodeBase64Url } from './encoding.ts';

/**
 * SHA-256 of the members' 20-byte addresses in ascending order, one after the other, in base64url.
 * @param members wire addresses in any order, none twice
 * @throws EncodingError for a text that is no wire address
 */
export function membersHash(members: readonly string[]): string {
  const sorted = [...members].sort(); // Lower-case hex sorts as the bytes do.
  return encodeBase64Url(sha256(concatBytes(...sorted.map(addressBytes))));
}
