/**
 * The square part of a picture. Lengths are in sides of the frame, from its middle; at a scale of 1, the shorter side of the
 * picture fills it.
 */
export interface Crop {
  scale: number;
  x: number;
  y: number;
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

export const MIDDLE: Crop = { scale: 1, x: 0, y: 0 };
export const LARGEST = 4;
/** The change by a key, or a notch of a wheel. */
export const STEP = 1.1;
/** Movement by an arrow key. */
export const KEY_MOVE = 0.05;

export function moved(crop: Crop, x: number, y: number, size: Size): Crop {
  return bounded({ ...crop, x: crop.x + x, y: crop.y + y }, size);
}

/** Changes the scale; the middle of the frame stays in its place. */
export function scaled({ scale, x, y }: Crop, to: number, size: Size): Crop {
  const next = Math.min(LARGEST, Math.max(1, to));
  return bounded({ scale: next, x: (x * next) / scale, y: (y * next) / scale }, size);
}

/** The picture covers the frame. */
function bounded({ scale, x, y }: Crop, { width, height }: Size): Crop {
  const shorter = Math.min(width, height);
  const [mostX, mostY] = [width, height].map((side) => ((side / shorter) * scale - 1) / 2) as [
    number,
    number,
  ];
  return { scale, x: clamp(x, mostX), y: clamp(y, mostY) };
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));

/** The square of the picture in the frame, in pixels of the picture. */
export function squareOf({ scale, x, y }: Crop, { width, height }: Size) {
  const shorter = Math.min(width, height);
  const side = shorter / scale;
  return {
    left: width / 2 - (x * shorter) / scale - side / 2,
    top: height / 2 - (y * shorter) / scale - side / 2,
    side,
  };
}
