/** Decoding and drawing pictures in other sizes. */
import { unlessAborted, withinLimit } from './decoder-limit.ts';

export type Source = ImageBitmap | HTMLVideoElement;

/** A picture drawn into at most `side` pixels. Opaque on white, for formats without transparency. */
export function drawn(source: Source, side: number, isOpaque = false): OffscreenCanvas {
  const [width, height] = sizeOf(source);
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  const context = contextOf(canvas);
  if (isOpaque) {
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function sizeOf(source: Source): [width: number, height: number] {
  return source instanceof ImageBitmap
    ? [source.width, source.height]
    : [source.videoWidth, source.videoHeight];
}

export function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new TypeError('no context for drawing');
  return context;
}

/** Null if the browser cannot decode a picture, or needs too long. */
export function decoded(file: Blob): Promise<ImageBitmap | null> {
  return withinLimit(async (end) => {
    const decoding = createImageBitmap(file).catch(() => null);
    const bitmap = await unlessAborted(end, decoding);
    if (end.aborted) void decoding.then((late) => late?.close());
    return end.aborted ? null : bitmap;
  });
}
