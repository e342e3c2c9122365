/** Small versions of a picture: a thumbnail, its blurred placeholder, and the preview in the tray. */
import { encode } from 'blurhash';
import { contextOf, drawn, type Source } from '../../../shared/pictures/drawn.ts';

/** Longest sides of thumbnails, in pixels, tried from the largest. */
const SIDES = [192, 128, 96, 64, 48, 32];
const QUALITY = 0.7;
/** Longest side of the picture that a blurred placeholder is made of. */
const BLUR_SIDE = 32;
/** Components of a blurred placeholder along its long and its short side. */
const [LONG, SHORT] = [4, 3];

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
