/**
 * Removes metadata of pictures that are not redrawn, such as animations: the coded picture stays as it is. Only parts that
 * are needed for showing it are copied, so that a place, a camera, a text, an older thumbnail or bytes behind the end are not.
 * A picture whose end is missing loses the same parts, and keeps the pixels that it has.
 */
import { type Bytes, joined, letters, u32be, u32le } from '../../../shared/pictures/bytes.ts';
import type { PictureFormat } from '../../../shared/pictures/picture-head.ts';
import { heifWithoutMetadata } from './strip-heif.ts';
import { jpegWithoutMetadata } from './strip-jpeg.ts';

/** The picture without its metadata; null if its parts cannot be followed. */
export function withoutMetadata(bytes: Bytes, format: PictureFormat): Bytes | null {
  if (format === 'gif') return gifWithoutMetadata(bytes);
  if (format === 'png') return pngWithoutMetadata(bytes);
  if (format === 'webp') return webpWithoutMetadata(bytes);
  return format === 'jpeg' ? jpegWithoutMetadata(bytes) : heifWithoutMetadata(bytes);
}

/** Chunks of a PNG that are shown: the picture, its colors, and its frames. */
const PNG_CHUNKS: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM iCCP sRGB sBIT bKGD pHYs cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
);
/** Of these, the beginning is shown. */
const PNG_PIXELS: ReadonlySet<string> = new Set(['IDAT', 'fdAT']);
const PNG_NAME = /^[A-Za-z]{4}$/;
/** First letter of the name of the last chunk, `IEND`. */
const PNG_LAST = 'I'.charCodeAt(0);

function pngWithoutMetadata(bytes: Bytes): Bytes | null {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = at + 12 + u32be(bytes, at);
    const name = letters(bytes, at + 4);
    if (!PNG_NAME.test(name)) return null;
    const isCut = end > bytes.length;
    // The length is wrong: other chunks are among these bytes.
    if (isCut && hasPngEnd(bytes.subarray(at + 8))) return null;
    if (isCut ? PNG_PIXELS.has(name) : PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    if (isCut || name === 'IEND') break;
    at = end;
  }
  return joined(kept);
}

function hasPngEnd(bytes: Bytes): boolean {
  for (let at = bytes.indexOf(PNG_LAST); at >= 0; at = bytes.indexOf(PNG_LAST, at + 1))
    if (letters(bytes, at) === 'IEND' && u32be(bytes, at - 4) === 0) return true;
  return false;
}

const EXTENSION = 0x21;
const FRAME = 0x2c;
const END = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Applications whose block is the number of repetitions. */
const LOOPS = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;
/** The application whose block is a color profile (ICC.1, annex B). */
const PROFILE = 'ICCRGBG1012';

function gifWithoutMetadata(bytes: Bytes): Bytes | null {
  const start = 13 + colorsLength(bytes[10] ?? 0);
  const kept = [bytes.subarray(0, start)];
  let at = start;
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === END) return joined([...kept, new Uint8Array([END])]);
    if (kind === FRAME) {
      // Its place, its colors, and the size of its codes.
      const data = at + 10 + colorsLength(bytes[at + 9] ?? 0) + 1;
      const end = endOfBlocks(bytes, data);
      kept.push(bytes.subarray(at, end));
      at = end;
    } else if (kind === EXTENSION) {
      const end = endOfBlocks(bytes, at + 2);
      if (end > bytes.length) break;
      if (bytes[at + 1] === CONTROL || isProfile(bytes, at)) kept.push(bytes.subarray(at, end));
      else if (isLoop(bytes, at)) kept.push(bytes.subarray(at, at + 18), new Uint8Array([0]));
      at = end;
    } else return null;
  }
  return joined(kept);
}

/** The length of a color table by the flags before it. */
const colorsLength = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** The name of the application of a block; null for another block. */
function applicationAt(bytes: Bytes, at: number): string | null {
  return bytes[at + 1] === APPLICATION && bytes[at + 2] === 11 ? letters(bytes, at + 3, 11) : null;
}

const isProfile = (bytes: Bytes, at: number) => applicationAt(bytes, at) === PROFILE;

function isLoop(bytes: Bytes, at: number): boolean {
  return LOOPS.test(applicationAt(bytes, at) ?? '') && bytes[at + 14] === 3;
}

/** The place after a chain of blocks, each with its length, the last empty. Behind the file if it is cut. */
function endOfBlocks(bytes: Bytes, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length + 1;
}

const WEBP_CHUNKS: ReadonlySet<string> = new Set('VP8X,ICCP,VP8 ,VP8L,ALPH,ANIM,ANMF'.split(','));
/** Flags of VP8X for EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04;
/** The length of a frame's fields before its chunks. */
const FRAME_FIELDS = 16;

/** Chunks of which the beginning is shown. */
const WEBP_PIXELS: ReadonlySet<string> = new Set('VP8 ,VP8L,ALPH'.split(','));

/** Chunks without metadata. Lengths claim the missing bytes of a cut file, whose other pixels are shown. */
interface Kept {
  parts: Bytes[];
  missing: number;
}

function webpWithoutMetadata(bytes: Bytes): Bytes | null {
  const end = 8 + u32le(bytes, 4);
  if (end < 12) return null;
  const kept = webpChunks(bytes, 12, end);
  return kept && joined(chunkOf(bytes.slice(0, 12), 12, kept));
}

/**
 * @param head name and length of the chunk, and the fields before its parts
 * @param fields length of the head
 */
function chunkOf(head: Bytes, fields: number, { parts, missing }: Kept): Bytes[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  new DataView(head.buffer).setUint32(4, fields - 8 + length + missing, true);
  return [head, ...parts];
}

/** @param to may be behind the end of a cut file */
function webpChunks(bytes: Bytes, from: number, to: number): Kept | null {
  const parts: Bytes[] = [];
  let missing = 0;
  for (let at = from; at < to && at + 8 <= bytes.length; ) {
    const length = u32le(bytes, at + 4);
    const end = at + 8 + length;
    if (end > to) return null;
    const name = letters(bytes, at);
    // Chunks have an even length.
    const padded = Math.min(to, end + (length % 2));
    const isCut = end > bytes.length;
    if (name === 'ANMF') {
      const fields = at + 8 + FRAME_FIELDS;
      if (length < FRAME_FIELDS) return null;
      if (fields > bytes.length) break;
      const inner = webpChunks(bytes, fields, end);
      if (!inner) return null;
      missing = inner.missing;
      parts.push(...chunkOf(bytes.slice(at, fields), 8 + FRAME_FIELDS, inner));
    } else if (name === 'VP8X' && !isCut) {
      const copy = bytes.slice(at, padded);
      copy[8] = (copy[8] ?? 0) & ~WEBP_METADATA;
      parts.push(copy);
    } else if (isCut ? WEBP_PIXELS.has(name) : WEBP_CHUNKS.has(name)) {
      missing = isCut ? padded - bytes.length : 0;
      parts.push(bytes.subarray(at, padded));
    }
    at = padded;
  }
  return { parts, missing };
}
