/** A file with changed ranges. Unchanged ones stay on the disk until they are read. */
import type { Bytes } from '../../../shared/pictures/bytes.ts';
import { type Box, FREE } from './boxes.ts';

export interface Change {
  start: number;
  end: number;
  /** Of the same length; null for zeros. */
  bytes: Bytes | null;
}

/** Length of a part of zeros, which is used many times, in bytes. */
const ZEROS = 1024 * 1024;

/** Length of a block, in bytes. */
const BLOCK = 64 * 1024;
/** Length of a block far behind the last one, in bytes: large frames are between the parts that are read. */
const SHORT_BLOCK = 4 * 1024;

/**
 * Reads parts of a file in their order, by blocks: small parts that are side by side need one read, so that the number of
 * reads is at most two for each 64 KiB of the file.
 */
export class BlockReader {
  readonly #file: Blob;
  #start = 0;
  #block: Bytes = new Uint8Array();

  constructor(file: Blob) {
    this.#file = file;
  }

  /** The bytes, which the caller may change; shorter at the end of the file. @throws DOMException if the file cannot be read */
  async read(from: number, to: number): Promise<Bytes> {
    const end = this.#start + this.#block.length;
    const isHere = from >= this.#start && Math.min(to, this.#file.size) <= end;
    if (!isHere) {
      const length = Math.max(to - from, from > end + BLOCK ? SHORT_BLOCK : BLOCK);
      const bytes = new Uint8Array(await this.#file.slice(from, from + length).arrayBuffer());
      const isLarge = to - from > BLOCK;
      this.#start = isLarge ? to : from;
      this.#block = isLarge ? new Uint8Array() : bytes;
      if (isLarge) return bytes;
    }
    return this.#block.slice(from - this.#start, to - this.#start);
  }
}

/** A box becomes an empty one of the same length. @param head its bytes before its body */
export function emptied(head: Bytes, { start, body, end }: Box): Change[] {
  const copy = head.slice();
  copy.set(FREE, 4);
  const changedHead = { start, end: body, bytes: copy };
  return body < end ? [changedHead, { start: body, end, bytes: null }] : [changedHead];
}

/** @param changes that do not overlap */
export function changed(file: Blob, changes: readonly Change[]): Blob {
  const zeros = new Blob([new Uint8Array(ZEROS)]);
  const parts: (Blob | Bytes)[] = [];
  let at = 0;
  for (const { start, end, bytes } of changes.toSorted((one, other) => one.start - other.start)) {
    if (start > at) parts.push(file.slice(at, start));
    if (bytes) parts.push(bytes);
    else
      for (let left = end - start; left > 0; left -= ZEROS)
        parts.push(left < ZEROS ? zeros.slice(0, left) : zeros);
    at = end;
  }
  parts.push(file.slice(at));
  return new Blob(parts);
}
