/**
 * Removes metadata of HEIF pictures without a decoder, as most browsers have none for them. Boxes keep their places,
 * because the file refers to them: the bytes of its pictures stay, and all others are overwritten with zeros. The end of the
 * pictures may be missing.
 * Sources: ISO/IEC 14496-12 (boxes, items), ISO/IEC 23008-12 (HEIF).
 */
import { type Bytes, letters } from '../../../shared/pictures/bytes.ts';
import {
  atMostOne,
  type Box,
  boxesIn,
  erase,
  FREE,
  MAX_PARTS,
  named,
  numberAt,
  only,
  Unknown,
} from './boxes.ts';

const FILE_BOXES = named('ftyp meta mdat free');
const META_BOXES = named('hdlr pitm iinf iloc iref iprp idat dinf grpl free');
/** Pictures, coded or derived from others. */
const PICTURES = named('hvc1 lhv1 av01 grid iden iovl tmap');
/** A JPEG can contain metadata of its own: it is only removed, as a thumbnail. */
const THUMBNAILS = new Set([...PICTURES, 'jpeg']);
/** `free` are items that this module has emptied. */
const METADATA = new Set(['Exif', 'mime', 'uri ', 'free']);
/** Properties that are needed for showing a picture. Others have texts, times and places, or are unknown. */
const PROPERTIES = named(
  'ispe pixi colr pasp clap irot imir hvcC lhvC av1C a1op a1lx lsel oinf tols rloc rref auxC clli mdcv cclv amve reve ndwt',
);

/** The picture without its metadata and thumbnails, of the same length or shorter; null if a part of it is unknown. */
export function heifWithoutMetadata(bytes: Bytes): Bytes | null {
  try {
    return stripped(bytes);
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

function stripped(bytes: Bytes): Bytes {
  const copy = bytes.slice();
  const boxes = boxesIn(bytes, 0, bytes.length, 'mdat');
  // Films beside the picture have metadata, too.
  const meta = only(boxes, 'meta');
  if (boxes.some(({ name }) => name === 'moov')) throw new Unknown();
  const inMeta = boxesIn(bytes, meta.body + 4, meta.end);
  const idat = atMostOne(inMeta, 'idat');
  const thumbnails = removeThumbnails(copy, inMeta);
  const kept = keptItems(copy, only(inMeta, 'iinf'), thumbnails);
  const extents = extentsOf(bytes, only(inMeta, 'iloc'), kept, idat);
  const data = [...boxes.filter(({ name }) => name === 'mdat'), ...(idat ? [idat] : [])];
  for (const { body, end } of data) copy.fill(0, body, end);
  let done = 0;
  for (const [from, to] of extents.sort(([one], [other]) => one - other)) {
    if (!data.some(({ body, end }) => from >= body && to <= end)) throw new Unknown();
    // Extents may overlap: each byte is copied once, against thousands of extents of a whole file.
    const start = Math.max(from, done);
    if (start < to) copy.set(bytes.subarray(start, to), Math.min(start, copy.length));
    done = Math.max(done, to);
  }
  const properties = boxesIn(bytes, only(inMeta, 'iprp').body, only(inMeta, 'iprp').end);
  const container = only(properties, 'ipco');
  for (const box of boxesIn(bytes, container.body, container.end))
    if (!PROPERTIES.has(box.name)) erase(copy, box);
  for (const box of inMeta) if (!META_BOXES.has(box.name) || box.name === 'free') erase(copy, box);
  for (const box of boxes) if (!FILE_BOXES.has(box.name) || box.name === 'free') erase(copy, box);
  const last = boxes.findLast(({ name }) => FILE_BOXES.has(name) && name !== 'free');
  return copy.subarray(0, last?.end);
}

/** Ids of the thumbnails, whose references are removed. */
function removeThumbnails(bytes: Bytes, inMeta: readonly Box[]): ReadonlySet<number> {
  const ids = new Set<number>();
  const references = atMostOne(inMeta, 'iref');
  if (!references) return ids;
  const idSize = bytes[references.body] === 0 ? 2 : 4;
  for (const box of boxesIn(bytes, references.body + 4, references.end)) {
    if (box.name !== 'thmb') continue;
    ids.add(numberAt(bytes, box.body, idSize));
    // Programs read all boxes here as references: only the name changes.
    bytes.set(FREE, box.start + 4);
  }
  return ids;
}

/** Ids of the pictures. Other items lose their type, so that no program reads them. */
function keptItems(bytes: Bytes, { body, end }: Box, thumbnails: ReadonlySet<number>): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const entry of boxesIn(bytes, body + (bytes[body] === 0 ? 6 : 8), end)) {
    const version = bytes[entry.body] ?? 0;
    if (entry.name !== 'infe' || version < 2) throw new Unknown();
    const idSize = version === 2 ? 2 : 4;
    const id = numberAt(bytes, entry.body + 4, idSize);
    const place = entry.body + 6 + idSize;
    const type = letters(bytes, place);
    if (PICTURES.has(type) && !thumbnails.has(id)) kept.add(id);
    else if (thumbnails.has(id) ? THUMBNAILS.has(type) : METADATA.has(type)) bytes.set(FREE, place);
    else throw new Unknown();
  }
  return kept;
}

/** Places of the bytes of items, from inclusive to exclusive. */
function extentsOf(
  bytes: Bytes,
  { body, end }: Box,
  kept: ReadonlySet<number>,
  idat: Box | undefined,
): [from: number, to: number][] {
  const extents: [number, number][] = [];
  let at = body + 4;
  const read = (size: number) => {
    const value = numberAt(bytes, at, size);
    at += size;
    if (at > end) throw new Unknown();
    return value;
  };
  const version = bytes[body] ?? 0;
  const sizes = read(2);
  const [offsetSize, lengthSize] = [sizes >> 12, (sizes >> 8) & 15];
  const [baseSize, indexSize] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15];
  const idSize = version < 2 ? 2 : 4;
  let parts = 0;
  for (let items = read(idSize); items > 0; items--) {
    const id = read(idSize);
    // Method 0: a place in this file; 1: in `idat`; 2: in another item.
    const method = version === 0 ? 0 : read(2) & 15;
    const isElsewhere = read(2) !== 0;
    const base = read(baseSize);
    for (let count = read(2); count > 0; count--) {
      if (++parts > MAX_PARTS) throw new Unknown();
      read(indexSize);
      const offset = base + read(offsetSize);
      const length = read(lengthSize);
      if (!kept.has(id)) continue;
      const start = method === 1 ? (idat?.body ?? bytes.length) : 0;
      if (isElsewhere || method > 1 || length === 0) throw new Unknown();
      extents.push([start + offset, start + offset + length]);
    }
  }
  return extents;
}
