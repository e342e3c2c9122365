/** Pictures of people and groups for sending: redrawn, so that they contain nothing else of the chosen file. */
import { MAX_PICTURE_BYTES } from '../../bridge/file-bounds.ts';
import { HEAD_BYTES, isDecodable, pictureHead } from '../shared/pictures/picture-head.ts';
import { type Crop, squareOf } from './crop.ts';

/** Longest side, in pixels. */
const SIDE = 512;
/** Tried from the best. */
const QUALITIES = [0.9, 0.75, 0.5];

/** A decoded picture; null if the file is none, or too large for a decoder. */
export async function decode(file: Blob): Promise<ImageBitmap | null> {
  const head = pictureHead(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  if (!head || !isDecodable(head)) return null;
  return createImageBitmap(file).catch(() => null);
}

/** Draws the part in the frame into a canvas of any size. */
export function drawCrop(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  picture: ImageBitmap,
  crop: Crop,
): void {
  const { left, top, side } = squareOf(crop, picture);
  const { width, height } = context.canvas;
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, left, top, side, side, 0, 0, width, height);
}

/** The part in the frame as a WebP, or a JPEG where the browser makes no WebP. */
export async function cropped(picture: ImageBitmap, crop: Crop): Promise<{ blob: Blob; side: number }> {
  const side = Math.max(1, Math.min(SIDE, Math.round(squareOf(crop, picture).side)));
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d');
  if (!context) throw new TypeError('no context for drawing');
  drawCrop(context, picture, crop);
  for (const quality of QUALITIES)
    for (const type of ['image/webp', 'image/jpeg']) {
      const blob = await canvas.convertToBlob({ type, quality });
      if (blob.type === type && blob.size <= MAX_PICTURE_BYTES) return { blob, side };
    }
  throw new TypeError('no picture is small enough');
}
