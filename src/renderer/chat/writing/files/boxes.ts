/** Boxes of the ISO base media file format (ISO/IEC 14496-12): of HEIF pictures, and of films. */
import { type Bytes, letters, u16be, u32be } from '../../../shared/pictures/bytes.ts';

/** Limit of boxes in a box, and of items and extents. */
export const MAX_PARTS = 10_000;

export interface Box {
  name: string;
  start: number;
  /** Place of its first byte after size and name. */
  body: number;
  end: number;
}

/** The structure of the file is invalid, or has unknown parts. */
export class Unknown extends Error {
  override readonly name = 'Unknown';
}

export const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/**
 * @param cut name of a box that may claim to end behind the range
 * @throws Unknown if they do not fill the range
 */
export function boxesIn(bytes: Bytes, from: number, to: number, cut?: string): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    const box = boxAt(bytes, at, at, to, cut !== undefined);
    if (boxes.length >= MAX_PARTS || (box.end > to && box.name !== cut)) throw new Unknown();
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/**
 * @param offset of its header in the bytes
 * @param start of the box in the file
 * @param to the last place in the file at which it may end
 * @param canBeCut true if it may claim to end behind it
 * @throws Unknown
 */
export function boxAt(bytes: Bytes, offset: number, start: number, to: number, canBeCut = false): Box {
  const short = u32be(bytes, offset);
  const isLong = short === 1;
  const size = isLong ? numberAt(bytes, offset + 8, 8) : short === 0 ? to - start : short;
  const box = {
    ...{ name: letters(bytes, offset + 4), start },
    ...{ body: start + (isLong ? 16 : 8), end: start + size },
  };
  if ((box.end > to && !canBeCut) || box.body > box.end) throw new Unknown();
  return box;
}

/** @throws Unknown unless there is exactly one */
export function only(boxes: readonly Box[], name: string): Box {
  const found = atMostOne(boxes, name);
  if (!found) throw new Unknown();
  return found;
}

/** @throws Unknown if there are more */
export function atMostOne(boxes: readonly Box[], name: string): Box | undefined {
  const [found, ...more] = boxes.filter((each) => each.name === name);
  if (more.length > 0) throw new Unknown();
  return found;
}

/** Makes a box an empty one of the same length. */
export function erase(bytes: Bytes, { start, body, end }: Box): void {
  bytes.set(FREE, start + 4);
  bytes.fill(0, body, end);
}

export const FREE = new TextEncoder().encode('free');

/**
 * @param size 0, 2, 4 or 8 bytes
 * @throws Unknown for another size
 */
export function numberAt(bytes: Bytes, at: number, size: number): number {
  if (size === 8) return u32be(bytes, at) * 2 ** 32 + u32be(bytes, at + 4);
  if (size === 4) return u32be(bytes, at);
  if (size === 2) return u16be(bytes, at);
  if (size === 0) return 0;
  throw new Unknown();
}
