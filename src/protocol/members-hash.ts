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

/**
 * The hashes of all lists that have these members, and any of some others: 2 to the number of those. In a large group
 * each takes as long as reading through it, and not as long as sorting it.
 * @param members,others wire addresses in any order, none twice
 * @throws EncodingError for a text that is no wire address
 */
export function membersHashes(members: readonly string[], others: readonly string[]): string[] {
  const places = new Map(others.map((address, place) => [address, place]));
  // What lies between two of the others is in all lists as it is.
  const pieces: { bytes: Uint8Array; place: number | null }[] = [];
  let steady: Uint8Array[] = [];
  const endPiece = () => {
    if (steady.length > 0) pieces.push({ bytes: concatBytes(...steady), place: null });
    steady = [];
  };
  for (const address of [...members, ...others].sort()) {
    const place = places.get(address);
    const bytes = addressBytes(address);
    if (place === undefined) steady.push(bytes);
    else {
      endPiece();
      pieces.push({ bytes, place });
    }
  }
  endPiece();
  return Array.from({ length: 2 ** others.length }, (_, choice) => {
    const chosen = pieces.filter(({ place }) => place === null || (choice >> place) & 1);
    return encodeBase64Url(sha256(concatBytes(...chosen.map(({ bytes }) => bytes))));
  });
}
