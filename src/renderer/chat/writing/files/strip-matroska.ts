/**
 * Removes metadata of Matroska and WebM films without a decoder: elements become void ones of the same length. Only the
 * descriptions are read; the frames stay on the disk. The end of the film may be missing.
 * Sources: RFC 8794 (EBML), RFC 9559 (Matroska).
 */
import { type Bytes, letters, u32be } from '../../../shared/pictures/bytes.ts';
import { MAX_PARTS, Unknown } from './boxes.ts';
import { BlockReader, type Change, changed } from './changed-file.ts';

/** Limit of elements of a film. One of an hour has about 4,000 clusters. */
const MAX_ELEMENTS = 20_000;
/** Limit of a description that is read, in bytes. */
const MAX_DESCRIPTION = 1024 * 1024;
/** The longest head of an element: an id of 4 bytes, and a length of 8. */
const HEAD = 12;

const [EBML, SEGMENT] = [0x1a45dfa3, 0x18538067];
const [INFO, TRACKS, TAGS, VOID, CHECKSUM] = [0x1549a966, 0x1654ae6b, 0x1254c367, 0xec, 0xbf];
const CLUSTER = 0x1f43b675;
/** Table of contents, clusters of frames, table of times, and chapters. */
const UNCHANGED = new Set([0x114d9b74, CLUSTER, 0x1c53bb6b, 0x1043a770]);
/** Id, scale of times, and duration. */
const NEEDED_INFO = new Set([0x73a4, 0x2ad7b1, 0x4489]);
/** Names of programs, which are required and may be empty. */
const PROGRAMS = new Set([0x4d80, 0x5741]);
const [TRACK, TRACK_KIND, CODEC] = [0xae, 0x83, 0x86];
/** Names of a track and of its codec, the settings and addresses of its program, and parts that a program left empty. */
const NOT_NEEDED = new Set([0x536e, 0x258688, 0x3a9697, 0x3b4040, 0x26b240, VOID, CHECKSUM]);
/** Frames in these codings may have metadata of their own. */
const OTHER_CODINGS = /MJPEG|VFW|QUICKTIME/;

/** An element with an id, and the places of its parts. */
interface Element {
  id: number;
  start: number;
  body: number;
  end: number;
}

/**
 * The film without its metadata, of the same length.
 * @returns null for another file, and if a part of it is unknown
 * @throws DOMException if the file cannot be read
 */
export async function matroskaWithoutMetadata(file: Blob): Promise<Blob | null> {
  const reader = new BlockReader(file);
  const head = await reader.read(0, HEAD);
  if (u32be(head, 0) !== EBML) return null;
  try {
    const first = elementAt(head, 0, 0, file.size);
    const segmentHead = await reader.read(first.end, first.end + HEAD);
    // Longer than the file if that is cut, and for one of unknown length.
    const segment = elementAt(segmentHead, 0, first.end, Number.MAX_SAFE_INTEGER, true);
    if (segment.id !== SEGMENT || segment.end < file.size) return null;
    return changed(file, await changesOf(reader, segment, file.size));
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

/** @param size of the file, which may be cut before the end of the segment */
async function changesOf(reader: BlockReader, segment: Element, size: number): Promise<Change[]> {
  const changes: Change[] = [];
  const end = Math.min(segment.end, size);
  let count = 0;
  let length = 0;
  for (let at = segment.body; at < end; count++) {
    if (count >= MAX_ELEMENTS) throw new Unknown();
    const head = await reader.read(at, at + HEAD);
    if (isHeadCut(head)) {
      changes.push({ start: at, end, bytes: null });
      break;
    }
    const element = elementAt(head, 0, at, Number.MAX_SAFE_INTEGER);
    const { id, start } = element;
    at = element.end;
    if (at > end) {
      if (id === INFO || id === TRACKS) throw new Unknown();
      if (id !== CLUSTER) changes.push({ start, end, bytes: null });
      break;
    }
    if (id === TAGS || id === VOID || id === CHECKSUM) changes.push(...voided(element));
    else if (id === INFO || id === TRACKS) {
      length += at - start;
      if (length > MAX_DESCRIPTION) throw new Unknown();
      const bytes = await reader.read(start, at);
      const own = { id, start: 0, body: element.body - start, end: at - start };
      if (id === INFO) cleanInfo(bytes, own);
      else cleanTracks(bytes, own);
      changes.push({ start, end: at, bytes });
    } else if (!UNCHANGED.has(id)) throw new Unknown();
  }
  return changes;
}

function cleanInfo(bytes: Bytes, info: Element): void {
  for (const element of elementsIn(bytes, info)) {
    if (PROGRAMS.has(element.id)) bytes.fill(0, element.body, element.end);
    else if (!NEEDED_INFO.has(element.id)) makeVoid(bytes, element);
  }
}

function cleanTracks(bytes: Bytes, tracks: Element): void {
  for (const track of elementsIn(bytes, tracks)) {
    if (track.id !== TRACK) {
      makeVoid(bytes, track);
      continue;
    }
    for (const element of elementsIn(bytes, track)) {
      const { id, body, end } = element;
      // Tracks of other kinds than film and sound, as of subtitles, are unknown.
      const isOther = id === TRACK_KIND && bytes[end - 1] !== 1 && bytes[end - 1] !== 2;
      const isCodec = id === CODEC && OTHER_CODINGS.test(letters(bytes, body, Math.min(end - body, 64)));
      if (isOther || isCodec) throw new Unknown();
      if (NOT_NEEDED.has(id)) makeVoid(bytes, element);
    }
  }
}

function elementsIn(bytes: Bytes, { body, end }: Element): Element[] {
  const elements: Element[] = [];
  for (let at = body; at < end; ) {
    const element = elementAt(bytes, at, at, end);
    if (elements.length >= MAX_PARTS) throw new Unknown();
    elements.push(element);
    at = element.end;
  }
  return elements;
}

/**
 * @param offset of its head in the bytes
 * @param start of the element in the file
 * @param to the last place in the file at which it may end
 * @param isOpen true if it may have no length, and end there
 */
function elementAt(bytes: Bytes, offset: number, start: number, to: number, isOpen = false): Element {
  const [idWidth, width] = [widthAt(bytes, offset), widthAt(bytes, offset + widthAt(bytes, offset))];
  if (idWidth > 4) throw new Unknown();
  const id = bytes.subarray(offset, offset + idWidth).reduce((sum, byte) => sum * 256 + byte, 0);
  const digits = bytes.slice(offset + idWidth, offset + idWidth + width);
  const marker = 0x100 >> width;
  digits[0] = (digits[0] ?? 0) - marker;
  const isUnknown = digits[0] === marker - 1 && digits.every((byte, place) => place === 0 || byte === 0xff);
  if (isUnknown && !isOpen) throw new Unknown();
  const body = start + idWidth + width;
  const end = isUnknown ? to : body + digits.reduce((sum, byte) => sum * 256 + byte, 0);
  if (body > to || end > to) throw new Unknown();
  return { id, start, body, end };
}

function isHeadCut(head: Bytes): boolean {
  const idWidth = widthAt(head, 0);
  return idWidth >= head.length || idWidth + widthAt(head, idWidth) > head.length;
}

/** Bytes of a number, by the zeros in front of it. */
function widthAt(bytes: Bytes, at: number): number {
  const first = bytes[at] ?? 0;
  if (first === 0) throw new Unknown();
  return Math.clz32(first) - 23;
}

/** The head of a void element of this length. */
function voidHead(length: number): Bytes {
  const isShort = length < 0x80;
  const head = new Uint8Array(isShort ? 2 : 9);
  head[0] = VOID;
  if (isShort) head[1] = 0x80 + length - 2;
  else new DataView(head.buffer).setBigUint64(1, 2n ** 56n + BigInt(length - 9));
  return head;
}

function makeVoid(bytes: Bytes, { start, end }: Element): void {
  bytes.fill(0, start, end);
  bytes.set(voidHead(end - start), start);
}

function voided({ start, end }: Element): Change[] {
  const bytes = voidHead(end - start);
  const body = start + bytes.length;
  return [
    { start, end: body, bytes },
    { start: body, end, bytes: null },
  ];
}
