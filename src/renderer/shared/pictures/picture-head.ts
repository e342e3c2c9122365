/**
 * Format and size of a picture by its first bytes. Known before a decoder sees it: a small file can claim a huge picture.
 * Sources: PNG (W3C), GIF89a, JPEG (ITU T.81), WebP container (Google), HEIF (ISO 23008-12).
 */
import { type Bytes, letters, u16be, u16le, u24le, u32be, u32le } from './bytes.ts';
import { afterExtension, EXTENSION, FRAME, firstBlock } from './gif-blocks.ts';

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif';

export interface PictureHead {
  format: PictureFormat;
  /** In pixels, at least 1. For HEIF of its largest part. */
  width: number;
  height: number;
  /** True for a PNG or WebP with frames, for each GIF, and for a PNG whose picture begins behind these bytes. */
  isAnimated: boolean;
}

/** Limit of pixels given to a decoder. */
export const MAX_PIXELS = 64_000_000;
/** The length of the beginning of a file that contains its size, in bytes. A JPEG may have large metadata before it. */
export const HEAD_BYTES = 1024 * 1024;

/** @param bytes the beginning of a file. Null if it is not a picture, or its size is not there. */
export function pictureHead(bytes: Bytes): PictureHead | null {
  const head = pngHead(bytes) ?? gifHead(bytes) ?? jpegHead(bytes) ?? webpHead(bytes) ?? heifHead(bytes);
  return head && head.width > 0 && head.height > 0 ? head : null;
}

/** Reports whether a decoder may be given this picture. */
export function isDecodable({ width, height }: PictureHead): boolean {
  return width * height <= MAX_PIXELS;
}

function pngHead(bytes: Bytes): PictureHead | null {
  if (letters(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || letters(bytes, 12) !== 'IHDR') return null;
  const size = { width: u32be(bytes, 16), height: u32be(bytes, 20) };
  for (let at = 8; at + 8 <= bytes.length; at += 12 + u32be(bytes, at)) {
    const name = letters(bytes, at + 4);
    if (name === 'IDAT') return { format: 'png', ...size, isAnimated: false };
    if (name === 'acTL') break;
  }
  return { format: 'png', ...size, isAnimated: true };
}

/** A first frame that is larger than the picture enlarges it in decoders; later ones are cut. */
function gifHead(bytes: Bytes): PictureHead | null {
  if (!/^GIF8[79]a$/.test(letters(bytes, 0, 6))) return null;
  let at = firstBlock(bytes);
  while (bytes[at] === EXTENSION) at = afterExtension(bytes, at);
  if (bytes[at] !== FRAME || at + 9 > bytes.length) return null;
  const width = Math.max(u16le(bytes, 6), u16le(bytes, at + 1) + u16le(bytes, at + 5));
  const height = Math.max(u16le(bytes, 8), u16le(bytes, at + 3) + u16le(bytes, at + 7));
  return { format: 'gif', width, height, isAnimated: true };
}

/** Markers of a frame's header; the others in this range define tables. */
const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegHead(bytes: Bytes): PictureHead | null {
  if (u16be(bytes, 0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrameMarker(marker))
      return {
        format: 'jpeg',
        width: u16be(bytes, at + 7),
        height: u16be(bytes, at + 5),
        isAnimated: false,
      };
    // No marker: decoders continue right behind it, at another size than the one behind its length.
    if (marker === 0) return null;
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else at += 2 + Math.max(2, u16be(bytes, at + 2));
  }
  return null;
}

function webpHead(bytes: Bytes): PictureHead | null {
  if (letters(bytes, 0) !== 'RIFF' || letters(bytes, 8) !== 'WEBP') return null;
  const kind = letters(bytes, 12);
  if (kind === 'VP8X') {
    const isAnimated = ((bytes[20] ?? 0) & 0b10) !== 0;
    return { format: 'webp', width: u24le(bytes, 24) + 1, height: u24le(bytes, 27) + 1, isAnimated };
  }
  if (kind === 'VP8 ') {
    const size = { width: u16le(bytes, 26) & 0x3fff, height: u16le(bytes, 28) & 0x3fff };
    return { format: 'webp', ...size, isAnimated: false };
  }
  if (kind !== 'VP8L') return null;
  const bits = u32le(bytes, 21);
  return {
    format: 'webp',
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    isAnimated: false,
  };
}

const HEIF_BRANDS = /^(?:hei[cxms]|hev[cxms]|mif1|msf1|avif|avis)$/;

/** The largest `ispe` box counts: a picture of tiles has one for each of them, and one for the whole. */
function heifHead(bytes: Bytes): PictureHead | null {
  if (letters(bytes, 4) !== 'ftyp' || !HEIF_BRANDS.test(letters(bytes, 8))) return null;
  let [width, height] = [0, 0];
  for (let at = bytes.indexOf(0x69); at >= 0; at = bytes.indexOf(0x69, at + 1)) {
    if (letters(bytes, at) !== 'ispe') continue;
    width = Math.max(width, u32be(bytes, at + 8));
    height = Math.max(height, u32be(bytes, at + 12));
  }
  return { format: 'heif', width, height, isAnimated: false };
}
