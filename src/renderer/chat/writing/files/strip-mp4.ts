/**
 * Removes metadata of films and sounds (MP4, QuickTime, 3GP) without a decoder. Boxes keep their places, because the index
 * contains the places of the frames: boxes that are not needed for playing become empty ones of the same length. Only the
 * index is read; the frames stay on the disk. The end of the frames may be missing, and anything else may be behind them.
 * Sources: ISO/IEC 14496-12, QuickTime File Format (Apple), 3GPP TS 26.244.
 */
import { type Bytes, letters, u16be, u32be } from '../../../shared/pictures/bytes.ts';
import {
  atMostOne,
  type Box,
  boxAt,
  boxesIn,
  erase,
  MAX_PARTS,
  named,
  numberAt,
  only,
  Unknown,
} from './boxes.ts';
import { BlockReader, type Change, changed, emptied } from './changed-file.ts';
import { keepMusicTags } from './music-tags.ts';

/** Limit of boxes of a file. A film in parts has two for each of them. */
const MAX_BOXES = 20_000;
/** Limit of index boxes read, in bytes. An hour of film has about 10 MB. */
const MAX_INDEX_BYTES = 32 * 1024 * 1024;

const FIRST_BOXES = named('ftyp moov mdat wide free skip pnot');
/** A raw picture of a camera has the boxes of a film. */
const PICTURE_BRAND = 'crx ';
const FILE_BOXES = named('ftyp styp sidx ssix moov moof mfra mdat');
/** The name of a box that is cut, or of other bytes behind the last one. */
const CUT = '';
const READ_BOXES = named('moov moof meta');
/** Boxes that are needed for playing, by the name of the box around them. All others are emptied. */
const NEEDED: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: named('mvhd trak mvex'),
  mvex: named('mehd trex'),
  trak: named('tkhd edts mdia tapt'),
  edts: named('elst'),
  mdia: named('mdhd hdlr minf elng'),
  minf: named('vmhd smhd hdlr dinf stbl'),
  dinf: named('dref'),
  stbl: named('stsd stts ctts cslg stss stps stsc stsz stz2 stco co64 sdtp sgpd sbgp'),
  moof: named('mfhd traf'),
  traf: named('tfhd tfdt trun sdtp sgpd sbgp'),
};
/** Boxes whose parts cannot be emptied: a compressed index, and a table of places in the data. */
const HIDDEN = new Set(['cmov', 'rmra', 'gps ']);
/** First letter of the name of a table of items, `iloc`. */
const ITEMS = 'i'.charCodeAt(0);
const PLAYED_TRACKS = named('vide soun');
/** Tracks of places, times and the camera's state. Tracks of other kinds, as of subtitles, are unknown. */
const METADATA_TRACKS = named('meta tmcd camm fdsc');
/** Length of the fields of a sound by their version. */
const SOUND_FIELDS = [28, 44, 64];
/** Boxes of metadata, anywhere. Others in a description are needed for decoding. */
const DESCRIPTIVE = named('uuid udta meta');
/** Codings whose frames have metadata of their own, and encrypted ones, which need boxes that are emptied. */
const OTHER_CODINGS = named('jpeg mjpa mjpb encv enca');

/**
 * The film without its metadata, of the same length.
 * @returns null for another file, and if a part of it is unknown
 * @throws DOMException if the file cannot be read
 */
export async function mp4WithoutMetadata(file: Blob): Promise<Blob | null> {
  try {
    const boxes = await boxesOf(file);
    return boxes && changed(file, changesOf(boxes, file.size));
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

interface ReadBox extends Box {
  /** All bytes of an index box, the head of another one. */
  bytes: Bytes;
}

/** Null for another file. */
async function boxesOf(file: Blob): Promise<ReadBox[] | null> {
  const reader = new BlockReader(file);
  const boxes: ReadBox[] = [];
  let length = 0;
  for (let at = 0; at < file.size; ) {
    const head = await reader.read(at, at + 16);
    if (at === 0) {
      const isFilm = FIRST_BOXES.has(letters(head, 4)) && letters(head, 8) !== PICTURE_BRAND;
      if (!isFilm) return null;
    }
    const box = fileBox(head, at, file.size);
    const { name, start, body, end } = box;
    const isRead = READ_BOXES.has(name);
    if (isRead) length += end - start;
    if (boxes.length >= MAX_BOXES || length > MAX_INDEX_BYTES) throw new Unknown();
    boxes.push({ ...box, bytes: isRead ? await reader.read(start, end) : head.subarray(0, body - start) });
    at = end;
  }
  return boxes;
}

/**
 * A box of the file. Of frames it ends where it claims; another one that is cut ends with the file, and has no name.
 * @throws Unknown for a cut one that has to be read
 */
function fileBox(head: Bytes, start: number, size: number): Box {
  const isHeadCut = head.length < (u32be(head, 0) === 1 ? 16 : 8);
  if (isHeadCut) return { name: CUT, start, body: size, end: size };
  const box = boxAt(head, 0, start, size, true);
  if (box.end <= size || box.name === 'mdat') return box;
  if (box.name === 'moov' || box.name === 'meta') throw new Unknown();
  return { ...box, name: CUT, end: size };
}

function changesOf(boxes: readonly ReadBox[], size: number): Change[] {
  only(boxes, 'moov');
  const isInParts = boxes.some(({ name }) => name === 'moof');
  const data = boxes.filter(({ name }) => name === 'mdat');
  const changes: Change[] = [];
  for (const box of boxes) {
    const { name, start, body, end, bytes } = box;
    const own = { ...box, start: 0, body: body - start, end: end - start };
    if (name === 'meta') refuseItems(bytes, own);
    if (name === CUT) changes.push({ start, end, bytes: null });
    else if (!FILE_BOXES.has(name)) changes.push(...emptied(bytes.subarray(0, own.body), box));
    else if (READ_BOXES.has(name)) {
      const removed = cleanIndex(bytes, own, isInParts);
      changes.push({ start, end, bytes });
      for (const [from, to] of joinedRanges(removed)) {
        if (!data.some((each) => from >= each.body && to <= each.end)) throw new Unknown();
        changes.push({ start: Math.min(from, size), end: Math.min(to, size), bytes: null });
      }
    }
  }
  return changes;
}

type Range = [from: number, to: number];

/**
 * Empties boxes in place. Returns the places of the samples of removed tracks.
 * @throws Unknown for a track to remove of a film in parts: the places of its samples are in other boxes
 */
function cleanIndex(bytes: Bytes, box: Box, isInParts: boolean): Range[] {
  const removed: Range[] = [];
  const needed = NEEDED[box.name];
  if (!needed) {
    cleanFields(bytes, box);
    return removed;
  }
  for (const inner of boxesIn(bytes, box.body, box.end)) {
    if (HIDDEN.has(inner.name)) throw new Unknown();
    if (!needed.has(inner.name)) {
      refuseItems(bytes, inner);
      if (box.name === 'moov' && inner.name === 'udta' && isSound(bytes, box)) keepMusicTags(bytes, inner);
      else erase(bytes, inner);
    } else if (inner.name === 'trak' && isMetadata(bytes, inner)) {
      if (isInParts) throw new Unknown();
      for (const range of samplesOf(bytes, inner)) removed.push(range);
      erase(bytes, inner);
    } else for (const range of cleanIndex(bytes, inner, isInParts)) removed.push(range);
  }
  return removed;
}

/** @throws Unknown if a box, or one inside, has a table of items, whose bytes may be anywhere in the data */
function refuseItems(bytes: Bytes, { body, end }: Box): void {
  const contents = bytes.subarray(body, end);
  for (let at = contents.indexOf(ITEMS); at >= 0; at = contents.indexOf(ITEMS, at + 1))
    if (letters(contents, at) === 'iloc') throw new Unknown();
}

/** Empties the fields of a needed box that name times, programs and cameras. */
function cleanFields(bytes: Bytes, { name, body, end }: Box): void {
  if (name === 'mvhd' || name === 'tkhd' || name === 'mdhd') {
    // Times of creation and of the last change.
    bytes.fill(0, body + 4, Math.min(end, body + 4 + (bytes[body] === 1 ? 16 : 8)));
  } else if (name === 'hdlr') bytes.fill(0, Math.min(end, body + 12), end);
  else if (name === 'dref') {
    for (const entry of boxesIn(bytes, body + 8, end)) {
      // The data is in another file, which it names.
      if (((bytes[entry.body + 3] ?? 0) & 1) === 0) throw new Unknown();
      bytes.fill(0, Math.min(entry.end, entry.body + 4), entry.end);
    }
  }
}

function inside(bytes: Bytes, { body, end }: Box, ...names: readonly string[]): Box {
  const [name = '', ...more] = names;
  const found = only(boxesIn(bytes, body, end), name);
  return more.length === 0 ? found : inside(bytes, found, ...more);
}

function kindOf(bytes: Bytes, track: Box): string {
  return letters(bytes, inside(bytes, track, 'mdia', 'hdlr').body + 8);
}

/** Reports whether the index has sounds only. Emptied tracks do not count. */
function isSound(bytes: Bytes, index: Box): boolean {
  const tracks = boxesIn(bytes, index.body, index.end).filter(({ name }) => name === 'trak');
  const kinds = tracks.map((each) => kindOf(bytes, each)).filter((kind) => !METADATA_TRACKS.has(kind));
  return kinds.length > 0 && kinds.every((kind) => kind === 'soun');
}

function isMetadata(bytes: Bytes, track: Box): boolean {
  const kind = kindOf(bytes, track);
  if (METADATA_TRACKS.has(kind)) return true;
  if (!PLAYED_TRACKS.has(kind)) throw new Unknown();
  const descriptions = inside(bytes, track, 'mdia', 'minf', 'stbl', 'stsd');
  for (const entry of boxesIn(bytes, descriptions.body + 8, descriptions.end))
    cleanDescription(bytes, entry, kind === 'vide');
  return false;
}

/** Empties the names of the program or camera that coded a track, and boxes of metadata beside them. */
function cleanDescription(bytes: Bytes, { name, body, end }: Box, isPicture: boolean): void {
  if (OTHER_CODINGS.has(name) || end - body < (isPicture ? 78 : 28)) throw new Unknown();
  bytes.fill(0, body + 12, body + 16);
  if (isPicture) bytes.fill(0, body + 42, body + 74);
  // QuickTime's sounds have more fields; four zeros may follow the last box.
  const fields = isPicture ? 78 : (SOUND_FIELDS[u16be(bytes, body + 8)] ?? 28);
  for (let at = body + fields; at + 8 <= end && u32be(bytes, at) > 0; ) {
    const box = boxAt(bytes, at, at, end);
    if (DESCRIPTIVE.has(box.name)) erase(bytes, box);
    at = box.end;
  }
}

/** Places of the samples of a track in the file. @throws Unknown if there are too many */
function samplesOf(bytes: Bytes, track: Box): Range[] {
  const table = inside(bytes, track, 'mdia', 'minf', 'stbl');
  const boxes = boxesIn(bytes, table.body, table.end);
  const [sizes, runs] = [only(boxes, 'stsz'), only(boxes, 'stsc')];
  const long = atMostOne(boxes, 'co64');
  const chunks = long ?? only(boxes, 'stco');
  const width = long ? 8 : 4;
  const size = u32be(bytes, sizes.body + 4);
  const countOf = ({ body, end }: Box, head: number, each: number) => {
    const count = u32be(bytes, body + head - 4);
    if (count > (end - body - head) / each) throw new Unknown();
    return count;
  };
  const samples = size === 0 ? countOf(sizes, 12, 4) : u32be(bytes, sizes.body + 8);
  const runCount = countOf(runs, 8, 12);
  if (samples > 0 && runCount === 0) throw new Unknown();
  const ranges: Range[] = [];
  let [run, sample] = [0, 0];
  for (let chunk = 0; chunk < countOf(chunks, 8, width); chunk++) {
    // A run begins at a chunk, counted from 1.
    while (run + 1 < runCount && u32be(bytes, runs.body + 8 + 12 * (run + 1)) <= chunk + 1) run++;
    const count = Math.min(u32be(bytes, runs.body + 12 + 12 * run), samples - sample);
    let length = size * count;
    for (let each = sample; size === 0 && each < sample + count; each++)
      length += u32be(bytes, sizes.body + 12 + 4 * each);
    sample += count;
    const start = numberAt(bytes, chunks.body + 8 + width * chunk, width);
    const last = ranges.at(-1);
    if (last?.[1] === start) last[1] += length;
    else if (ranges.length === MAX_PARTS) throw new Unknown();
    else if (length > 0) ranges.push([start, start + length]);
  }
  if (sample < samples) throw new Unknown();
  return ranges;
}

/** In order, and without overlaps. @throws Unknown if there are too many */
function joinedRanges(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  if (all.length > MAX_PARTS) throw new Unknown();
  return all;
}
