/**
 * Removes metadata of pictures that are not redrawn, such as animations: the coded picture stays as it is. Only parts that
 * are needed for showing it are copied, so that a place, a camera, a text, an older thumbnail or bytes behind the end are not.
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

function pngWithoutMetadata(bytes: Bytes): Bytes | null {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + u32be(bytes, at);
    if (end > bytes.length) return null;
    const name = letters(bytes, at + 4);
    if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return joined(kept);
    at = end;
  }
  return null;
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
      if (end === null) return null;
      kept.push(bytes.subarray(at, end));
      at = end;
    } else if (kind === EXTENSION) {
      const end = endOfBlocks(bytes, at + 2);
      if (end === null) return null;
      if (bytes[at + 1] === CONTROL || isProfile(bytes, at)) kept.push(bytes.subarray(at, end));
      else if (isLoop(bytes, at)) kept.push(bytes.subarray(at, at + 18), new Uint8Array([0]));
      at = end;
    } else return null;
  }
  return null;
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

/** The place after a chain of blocks, each with its length, the last empty. */
function endOfBlocks(bytes: Bytes, from: number): number | null {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return null;
}

const WEBP_CHUNKS: ReadonlySet<string> = new Set('VP8X,ICCP,VP8 ,VP8L,ALPH,ANIM,ANMF'.split(','));
/** Flags of VP8X for EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04;
/** The length of a frame's fields before its chunks. */
const FRAME_FIELDS = 16;

function webpWithoutMetadata(bytes: Bytes): Bytes | null {
  const end = 8 + u32le(bytes, 4);
  if (end > bytes.length || end < 12) return null;
  const kept = webpChunks(bytes, 12, end);
  if (!kept) return null;
  const body = joined(kept);
  const head = bytes.slice(0, 12);
  new DataView(head.buffer).setUint32(4, body.length + 4, true);
  return joined([head, body]);
}

function webpChunks(bytes: Bytes, from: number, to: number): Bytes[] | null {
  const kept: Bytes[] = [];
  for (let at = from; at < to; ) {
    const length = u32le(bytes, at + 4);
    const end = at + 8 + length;
    if (at + 8 > to || end > to) return null;
    const name = letters(bytes, at);
    // Chunks have an even length.
    const padded = Math.min(to, end + (length % 2));
    if (name === 'ANMF') {
      const inner = webpChunks(bytes, at + 8 + FRAME_FIELDS, end);
      if (!inner || length < FRAME_FIELDS) return null;
      const body = joined([bytes.subarray(at + 8, at + 8 + FRAME_FIELDS), ...inner]);
      const head = bytes.slice(at, at + 8);
      new DataView(head.buffer).setUint32(4, body.length, true);
      kept.push(head, body);
    } else if (name === 'VP8X') {
      const copy = bytes.slice(at, padded);
      copy[8] = (copy[8] ?? 0) & ~WEBP_METADATA;
      kept.push(copy);
    } else if (WEBP_CHUNKS.has(name)) kept.push(bytes.subarray(at, padded));
    at = padded;
  }
  return kept;
}
