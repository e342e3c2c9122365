/** The place of a picture in a message, known before the picture is there. */
import type { MessageFile } from '../../../bridge/files.ts';

/** Limits of the proportion of width to height. A picture that is a little longer is cut at its ends. */
const [NARROWEST, WIDEST] = [0.5, 3];
/** Proportion from which a picture is shown whole in its place: cut, little would be left of it. */
const LONG = 4;
/** The longest sides, and the shortest width, in rem. */
const [MAX_WIDTH, MAX_HEIGHT, LEAST_WIDTH] = [22, 22, 8];
/** The shortest width of a film: its controls have room. */
const LEAST_FILM_WIDTH = 16;
/** Pixels of a picture in one rem. */
const PIXELS = 16;

export interface PictureBox {
  aspectRatio: number;
  /** In CSS. */
  width: string;
}

type Size = Pick<MessageFile, 'width' | 'height'>;

/** Reports whether a picture is so long that it is shown whole in its place, such as a panorama. */
export function isLong({ width, height }: Size): boolean {
  return width !== null && height !== null && Math.max(width / height, height / width) > LONG;
}

/** Without a size, four to three. */
export function pictureBox(size: Size): PictureBox {
  return boxOf(size, LEAST_WIDTH);
}

export function filmBox(size: Size): PictureBox {
  return boxOf(size, LEAST_FILM_WIDTH);
}

function boxOf({ width, height }: Size, leastWidth: number): PictureBox {
  const proportion = width === null || height === null ? 4 / 3 : width / height;
  const aspectRatio = Math.min(WIDEST, Math.max(NARROWEST, proportion));
  const natural = width === null ? MAX_WIDTH : width / PIXELS;
  const fitting = Math.min(MAX_WIDTH, MAX_HEIGHT * aspectRatio, natural);
  return { aspectRatio, width: `${Math.max(leastWidth, Math.round(fitting * 100) / 100)}rem` };
}

export interface AlbumPlace {
  /** Of six. */
  columns: number;
  rows: number;
  /** Width to height; null for the height of its rows. */
  aspectRatio: number | null;
}

/**
 * The places of an album: of three, a large picture beside two small ones; else rows of three, and the rest in the first row.
 */
export function albumPlaces(count: number): AlbumPlace[] {
  if (count === 3) {
    const small = { columns: 2, rows: 1, aspectRatio: 1 };
    return [{ columns: 4, rows: 2, aspectRatio: null }, small, small];
  }
  const first = count % 3;
  return Array.from({ length: count }, (_, index) => {
    const columns = count === 4 ? 3 : index < first ? 6 / first : 2;
    return { columns, rows: 1, aspectRatio: columns === 6 ? 2 : 1 };
  });
}
