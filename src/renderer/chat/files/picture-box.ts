/** The place of a picture in a message, known before the picture is there. */
import type { MessageFile } from '../../../bridge/files.ts';

/** Limits of the proportion of width to height: what is longer is cut at its ends, and whole in the viewer. */
const [NARROWEST, WIDEST] = [0.5, 3];
/** The longest sides, and the shortest width, in rem. */
const [MOST_WIDTH, MOST_HEIGHT, LEAST_WIDTH] = [22, 22, 8];
/** Pixels of a picture in one rem. */
const PIXELS = 16;

export interface PictureBox {
  aspectRatio: number;
  /** In CSS. */
  width: string;
}

/** Without a size, four to three. */
export function pictureBox({ width, height }: Pick<MessageFile, 'width' | 'height'>): PictureBox {
  const proportion = width === null || height === null ? 4 / 3 : width / height;
  const aspectRatio = Math.min(WIDEST, Math.max(NARROWEST, proportion));
  const natural = width === null ? MOST_WIDTH : width / PIXELS;
  const fitting = Math.min(MOST_WIDTH, MOST_HEIGHT * aspectRatio, natural);
  return { aspectRatio, width: `${Math.max(LEAST_WIDTH, Math.round(fitting * 100) / 100)}rem` };
}

/** Columns of six for each picture of an album: rows of three, and the rest in the first row. */
export function albumSpans(count: number): number[] {
  if (count === 4) return [3, 3, 3, 3];
  const first = count % 3;
  return Array.from({ length: count }, (_, index) => (index < first ? 6 / first : 2));
}
