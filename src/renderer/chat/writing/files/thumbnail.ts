/** Small versions of a picture: a thumbnail, its blurred placeholder, and the preview in the tray. */
import { encode } from 'blurhash';

/** Longest sides of thumbnails, in pixels, tried from the largest. */
const SIDES = [192, 128, 96, 64, 48, 32];
const QUALITY = 0.7;
/** Longest side of the picture that a blurred placeholder is made of. */
const BLUR_SIDE = 32;
/** Components of a blurred placeholder along its long and its short side. */
const [LONG, SHORT] = [4, 3];

type Source = ImageBitmap | HTMLVideoElement;

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

export function sizeOf(source: Source): [width: number, height: number] {
  return source instanceof ImageBitmap
    ? [source.width, source.height]
    : [source.videoWidth, source.videoHeight];
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new TypeError('no context for drawing');
  return context;
}

/** A WebP, or a JPEG where the browser makes no WebP, of at most `most` bytes in base64. Null if none is so small. */
export async function thumbnailOf(source: Source, most: number): Promise<string | null> {
  for (const side of SIDES) {
    const blob = await smallBlob(source, side);
    if (blob.size <= most) return base64(new Uint8Array(await blob.arrayBuffer()));
  }
  return null;
}

async function smallBlob(source: Source, side: number): Promise<Blob> {
  const webp = await drawn(source, side).convertToBlob({ type: 'image/webp', quality: QUALITY });
  if (webp.type === 'image/webp') return webp;
  return drawn(source, side, true).convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

/** A short text from which a blurred picture can be drawn. */
export function blurhashOf(source: Source): string {
  const canvas = drawn(source, BLUR_SIDE, true);
  const { width, height } = canvas;
  const { data } = contextOf(canvas).getImageData(0, 0, width, height);
  return width >= height
    ? encode(data, width, height, LONG, SHORT)
    : encode(data, width, height, SHORT, LONG);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
