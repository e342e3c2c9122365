/** The length of a recording inside of its file. Chromium writes a file from begin to end, and its length before it is known. */

/** The beginning of a file in which its length is searched, in bytes. */
const HEAD_BYTES = 512;
/** Ids of Matroska (RFC 9559): the segment's description, and its duration in milliseconds. */
const INFO = [0x15, 0x49, 0xa9, 0x66];
const DURATION = [0x44, 0x89];

/**
 * Writes its length into a WebM file, without which a player can neither show it nor seek. Files without a place for it
 * stay as they are.
 */
export async function withLength(recording: Blob, milliseconds: number): Promise<Blob> {
  const head = new Uint8Array(await recording.slice(0, HEAD_BYTES).arrayBuffer());
  const info = indexOf(head, INFO, 0);
  const at = info < 0 ? -1 : indexOf(head, DURATION, info) + DURATION.length;
  const view = new DataView(head.buffer);
  // The byte after the id is the size of a float.
  if (at < DURATION.length || at + 9 > head.length) return recording;
  if (head[at] === 0x84) view.setFloat32(at + 1, milliseconds);
  else if (head[at] === 0x88) view.setFloat64(at + 1, milliseconds);
  else return recording;
  return new Blob([head, recording.slice(HEAD_BYTES)], { type: recording.type });
}

function indexOf(bytes: Uint8Array, part: readonly number[], from: number): number {
  return bytes.findIndex((_, at) => at >= from && part.every((each, index) => bytes[at + index] === each));
}
