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

/** Bytes of a file. @throws DOMException if it cannot be read */
export async function read(file: Blob, from: number, to: number): Promise<Bytes> {
  return new Uint8Array(await file.slice(from, to).arrayBuffer());
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
