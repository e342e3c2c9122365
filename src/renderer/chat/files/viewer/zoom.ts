/** Scale and place of a picture in the viewer. Lengths in pixels, from the middle. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The place of the picture. */
export interface Box {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const LARGEST = 8;
/** The change by a key, a button, or a notch of a wheel. */
export const STEP = 1.25;
/** The scale of a double click. */
export const CLOSE = 2.5;

/** Changes the scale so that the point stays in its place. */
export function zoomed({ scale, x, y }: View, factor: number, point: Point, box: Box): View {
  const next = Math.min(LARGEST, Math.max(1, scale * factor));
  const change = next / scale;
  return bounded(
    { scale: next, x: point.x - change * (point.x - x), y: point.y - change * (point.y - y) },
    box,
  );
}

export function panned(view: View, by: Point, box: Box): View {
  return bounded({ ...view, x: view.x + by.x, y: view.y + by.y }, box);
}

/** Shortest swipe, in pixels. */
const SHORTEST_SWIPE = 60;

/** The direction of a swipe along the line: 1 to the right, -1 to the left, 0 for other moves. */
export function swipeOf(from: Point, to: Point): 1 | 0 | -1 {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.abs(x) < SHORTEST_SWIPE || Math.abs(x) < 2 * Math.abs(y)) return 0;
  return x > 0 ? 1 : -1;
}

/** The picture covers its place. */
function bounded({ scale, x, y }: View, { width, height }: Box): View {
  const most = { x: (width * (scale - 1)) / 2, y: (height * (scale - 1)) / 2 };
  return {
    scale,
    x: Math.min(most.x, Math.max(-most.x, x)),
    y: Math.min(most.y, Math.max(-most.y, y)),
  };
}
