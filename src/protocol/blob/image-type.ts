/**
 * Detection of an image type from the first bytes. An app shows only these four, and only if the sender's `mediaType`
 * agrees.
 */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The byte required at each position; -1 for any. PNG 1.2 §3.1, ITU-T T.81 B.1.1.3, GIF89a §17, RFC 9649 §2.4. */
const SIGNATURES: readonly [ImageType, readonly number[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38, 0x37, 0x61]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50]],
];

/** @param begin the first 12 bytes of a file, or all of a shorter one */
export function imageTypeOf(begin: Uint8Array): ImageType | null {
  const found = SIGNATURES.find(([, signature]) =>
    signature.every((byte, index) => byte === -1 || begin[index] === byte),
  );
  return found?.[0] ?? null;
}
