/**
 * Removes metadata of a JPEG that is too large for a decoder. Its orientation and its color profile stay.
 * Sources: ITU T.81, ICC.1 (annex B), CIPA DC-008 (Exif).
 */
import { type Bytes, joined, letters, u16be, u16le, u32be, u32le } from '../../../shared/pictures/bytes.ts';

const [START, END, SCAN] = [0xd8, 0xd9, 0xda];
/** Applications' parts with the color space: the others are metadata. */
const [JFIF, COLOR_PROFILE, ADOBE] = [0xe0, 0xe2, 0xee];
const JFIF_LENGTH = 16;
/** Limit of segments and scans: photos have far fewer, and each costs memory. */
const MAX_PARTS = 10_000;
const EXIF = 0xe1;
const COMMENT = 0xfe;
/** The first marker with a length. */
const FIRST_SEGMENT = 0xc0;
/** Restarts and starts have no length, and are inside of coded data only. */
const isWithoutLength = (marker: number) => marker < FIRST_SEGMENT || (marker >= 0xd0 && marker <= START);
const ORIENTATION = 0x0112;

/** A picture whose end is missing keeps its complete parts. @returns null if its parts cannot be followed */
export function jpegWithoutMetadata(bytes: Bytes): Bytes | null {
  if (u16be(bytes, 0) !== 0xff00 + START) return null;
  const kept: Bytes[] = [bytes.subarray(0, 2)];
  let at = 2;
  let parts = 0;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Other pictures, and films, may be behind the end.
    if (marker === END) return joined([...kept, bytes.subarray(at, at + 2)]);
    if (isWithoutLength(marker)) return null;
    const end = at + 2 + u16be(bytes, at + 2);
    if (at + 4 > bytes.length || end > bytes.length) break;
    if (end < at + 4 || ++parts > MAX_PARTS) return null;
    if (marker === SCAN) {
      const next = endOfScan(bytes, end);
      kept.push(bytes.subarray(at, next));
      at = next;
    } else {
      const segment = bytes.subarray(at, end);
      const orientation = marker === EXIF ? orientationIn(segment) : 1;
      if (orientation !== 1) kept.push(orientationSegment(orientation));
      else if (isShown(marker, segment)) kept.push(segment);
      at = end;
    }
  }
  return joined(kept);
}

function isShown(marker: number, segment: Bytes): boolean {
  if (marker === JFIF) return letters(segment, 4, 5) === 'JFIF\0' && segment.length === JFIF_LENGTH + 2;
  if (marker === COLOR_PROFILE) return letters(segment, 4, 12) === 'ICC_PROFILE\0';
  if (marker === ADOBE) return letters(segment, 4, 5) === 'Adobe';
  return marker < JFIF || (marker > 0xef && marker !== COMMENT);
}

/** The next marker that is not part of the coded picture. */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    const isCoded = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
    if (!isCoded) return at;
  }
  return bytes.length;
}

/** 1 to 8; 1 if there is none. */
function orientationIn(segment: Bytes): number {
  if (letters(segment, 4, 6) !== 'Exif\0\0') return 1;
  const tiff = segment.subarray(10);
  const [u16, u32] = letters(tiff, 0, 2) === 'II' ? [u16le, u32le] : [u16be, u32be];
  const directory = u32(tiff, 4);
  const end = Math.min(directory + 2 + 12 * u16(tiff, directory), tiff.length);
  for (let at = directory + 2; at < end; at += 12) {
    if (u16(tiff, at) !== ORIENTATION) continue;
    const value = u16(tiff, at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif segment with one field. */
function orientationSegment(orientation: number): Bytes {
  const segment = new Uint8Array(36);
  segment.set([0xff, EXIF, 0, 34, ...letterCodes('Exif\0\0MM'), 0, 42, 0, 0, 0, 8]);
  // One field: its tag, a number of two bytes, one of them, and its value.
  segment.set([0, 1, ORIENTATION >> 8, ORIENTATION & 255, 0, 3, 0, 0, 0, 1, 0, orientation], 18);
  return segment;
}

function letterCodes(text: string): Bytes {
  return new TextEncoder().encode(text);
}
