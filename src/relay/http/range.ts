/** One requested range of bytes (RFC 9110, 14.1.2). */
import type { Range } from '../../protocol/blob/layout.ts';

const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * @param header the value of `Range`
 * @param size of the whole, in bytes
 * @returns null for an invalid range, or several: the answer is then the whole. `unsatisfiable` for a range outside
 *   the size.
 */
export function readRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const [match, first, last, suffix] = RANGE.exec(header ?? '') ?? [];
  if (match === undefined) return null;
  if (first === undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === undefined ? size - 1 : Number(last);
  if (end < offset && last !== undefined) return null;
  return offset >= size ? 'unsatisfiable' : { offset, length: Math.min(end, size - 1) - offset + 1 };
}
