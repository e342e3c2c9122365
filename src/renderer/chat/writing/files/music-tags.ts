/**
 * Tags of music in a sound of MP4: title, artist, album, number, year and cover. Other tags, such as a place, a comment, the
 * buyer or the program, are removed. The file keeps its length.
 * Sources: QuickTime File Format (Apple), ISO/IEC 14496-12; the names of tags are those of iTunes.
 */
import { type Bytes, joined, letters, u32be } from '../../../shared/pictures/bytes.ts';
import { pictureHead } from '../../../shared/pictures/picture-head.ts';
import { type Box, boxesIn, erase, FREE, named, only, Unknown } from './boxes.ts';
import { withoutMetadata } from './strip-metadata.ts';

const KEPT = named('©nam ©ART aART ©alb ©gen gnre trkn disk cpil ©day covr');
/** A sound without any of these is a recording: its title may be a place, and its year is that of the recording. */
const OF_MUSIC = named('©ART aART ©alb');
/** Version and flags of a box. */
const FULL = 4;
/** Type and language before a value. */
const VALUE = 8;
const YEAR = /^\d{4}$/;

/** Removes other tags in place, and all tags of a recording. @param data the box `udta` of the index */
export function keepMusicTags(bytes: Bytes, data: Box): void {
  const tags = tagsIn(bytes, data);
  const items = tags && musicIn(bytes, tags.list);
  if (!items) {
    erase(bytes, data);
    return;
  }
  const { handler, list, others } = tags;
  for (const box of others) erase(bytes, box);
  bytes.fill(0, handler.body + (letters(bytes, handler.body + 12) === 'appl' ? 16 : 12), handler.end);
  bytes.fill(0, list.body, list.end);
  bytes.set(items, list.body);
  const rest = list.body + items.length;
  if (rest < list.end) bytes.set([...sizeBytes(list.end - rest), ...FREE], rest);
}

const sizeBytes = (size: number) => [size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255];

/** The kept tags of music; null for a recording. */
function musicIn(bytes: Bytes, list: Box): Bytes | null {
  const kept = boxesIn(bytes, list.body, list.end).filter((item) => isKept(bytes, item));
  if (!kept.some(({ name }) => OF_MUSIC.has(name))) return null;
  return joined(kept.map(({ start, end }) => bytes.subarray(start, end)));
}

interface Tags {
  handler: Box;
  list: Box;
  /** Boxes beside them. */
  others: readonly Box[];
}

/** Null without tags of this form. */
function tagsIn(bytes: Bytes, data: Box): Tags | null {
  try {
    const outer = boxesIn(bytes, data.body, data.end);
    const { start, body, end } = only(outer, 'meta');
    const inner = boxesIn(bytes, body + FULL, end);
    const [handler, list] = [only(inner, 'hdlr'), only(inner, 'ilst')];
    const isOfTags = u32be(bytes, body) === 0 && letters(bytes, handler.body + 8) === 'mdir';
    if (!isOfTags || handler.end - handler.body < 16) return null;
    // Their structure is known before anything is changed.
    for (const item of boxesIn(bytes, list.body, list.end)) boxesIn(bytes, item.body, item.end);
    const others = [...outer, ...inner].filter(
      (box) => ![start, handler.start, list.start].includes(box.start),
    );
    return { handler, list, others };
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

/** Removes metadata in a cover. */
function isKept(bytes: Bytes, item: Box): boolean {
  if (!KEPT.has(item.name)) return false;
  const values = boxesIn(bytes, item.body, item.end);
  const isValid = ({ name, body, end }: Box) => name === 'data' && end - body > VALUE;
  if (values.length === 0 || !values.every(isValid)) return false;
  if (item.name === 'covr') return values.every((value) => cleanCover(bytes, value));
  return item.name !== '©day' || values.every(({ body, end }) => isYear(bytes.subarray(body + VALUE, end)));
}

const isYear = (value: Bytes) => YEAR.test(letters(value, 0, 5));

/** Removes metadata of a cover in place: zeros follow its end. False if its parts are unknown. */
function cleanCover(bytes: Bytes, { body, end }: Box): boolean {
  const picture = bytes.subarray(body + VALUE, end);
  const format = pictureHead(picture)?.format;
  const clean = format === 'jpeg' || format === 'png' ? withoutMetadata(picture, format) : null;
  if (!clean || clean.length > picture.length) return false;
  picture.fill(0);
  picture.set(clean);
  return true;
}
