/**
 * Detection of a file's type from its first bytes: types that an app shows, and programs. Sources: ISO/IEC 14496-12 §4.3,
 * RFC 3533 §6, RFC 9559, RFC 9639 §8.1, ID3v2.4 §3.1, PE format, ELF-64 §1, Mach-O's loader.h.
 */
import { imageTypeOf } from './image-type.ts';

/** The number of bytes that {@link mediaTypeOf} reads. */
export const MEDIA_TYPE_BYTES = 16;

/** Type of a file that is neither shown nor known as a program. */
export const UNKNOWN_TYPE = 'application/octet-stream';
/** Type of programs and scripts of Linux, macOS and Windows. */
export const PROGRAM_TYPE = 'application/x-executable';

/** The bytes required at a position; -1 for any. */
const SIGNATURES: readonly [type: string, at: number, bytes: readonly number[]][] = [
  ['video/mp4', 4, [0x66, 0x74, 0x79, 0x70]],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['audio/ogg', 0, [0x4f, 0x67, 0x67, 0x53]],
  ['audio/flac', 0, [0x66, 0x4c, 0x61, 0x43]],
  ['audio/wav', 0, [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x41, 0x56, 0x45]],
  ['audio/mpeg', 0, [0x49, 0x44, 0x33]],
  ['audio/mpeg', 0, [0xff, 0xfb]],
  ['audio/mpeg', 0, [0xff, 0xf3]],
  ['audio/mpeg', 0, [0xff, 0xf2]],
  [PROGRAM_TYPE, 0, [0x4d, 0x5a]],
  [PROGRAM_TYPE, 0, [0x7f, 0x45, 0x4c, 0x46]],
  [PROGRAM_TYPE, 0, [0x23, 0x21]],
  [PROGRAM_TYPE, 0, [0xfe, 0xed, 0xfa, 0xce]],
  [PROGRAM_TYPE, 0, [0xfe, 0xed, 0xfa, 0xcf]],
  [PROGRAM_TYPE, 0, [0xce, 0xfa, 0xed, 0xfe]],
  [PROGRAM_TYPE, 0, [0xcf, 0xfa, 0xed, 0xfe]],
  [PROGRAM_TYPE, 0, [0xca, 0xfe, 0xba, 0xbe]],
  // A shortcut of Windows: it starts any program.
  [PROGRAM_TYPE, 0, [0x4c, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00]],
];

/** @param begin the first {@link MEDIA_TYPE_BYTES} of a file, or all of a shorter one */
export function mediaTypeOf(begin: Uint8Array): string {
  const image = imageTypeOf(begin);
  if (image) return image;
  const found = SIGNATURES.find(([, at, bytes]) =>
    bytes.every((byte, index) => byte === -1 || begin[at + index] === byte),
  );
  return found?.[0] ?? UNKNOWN_TYPE;
}
