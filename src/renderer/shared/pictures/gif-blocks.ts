/** The blocks of a GIF. Source: GIF89a. */
import type { Bytes } from './bytes.ts';

/** First byte of an extension, and of a frame. */
export const [EXTENSION, FRAME] = [0x21, 0x2c];

/** Bytes of a color table, by the flags before it. */
const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** The position of the first block. */
export const firstBlock = (bytes: Bytes) => 13 + tableBytes(bytes[10] ?? 0);

/** The position after the extension at a position. */
export const afterExtension = (bytes: Bytes, at: number) => afterParts(bytes, at + 2);

/** The position after the frame at a position. */
export const afterFrame = (bytes: Bytes, at: number) =>
  afterParts(bytes, at + 11 + tableBytes(bytes[at + 9] ?? 0));

/** The position after parts with their length before each; an empty one is the last. */
function afterParts(bytes: Bytes, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}
