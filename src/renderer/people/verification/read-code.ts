/** The greatest size of scanned pictures, in pixels: a code fills a good part of a picture. */
const LARGEST = 1_200;

type Picture = HTMLVideoElement | ImageBitmap;

function sizeOf(picture: Picture): { width: number; height: number } {
  return picture instanceof HTMLVideoElement
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : { width: picture.width, height: picture.height };
}

/** The contents of a QR code in a picture; null if none is readable. */
export async function readCode(picture: Picture): Promise<string | null> {
  // Loaded on the first scan: most people never scan.
  const { default: decodeQR } = await import('qr/decode.js');
  const { width, height } = sizeOf(picture);
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const size = [Math.round(width * scale), Math.round(height * scale)] as const;
  if (size[0] === 0 || size[1] === 0) return null;
  const surface = new OffscreenCanvas(...size).getContext('2d', { willReadFrequently: true });
  if (!surface) return null;
  surface.drawImage(picture, 0, 0, ...size);
  try {
    return decodeQR(surface.getImageData(0, 0, ...size));
  } catch {
    return null;
  }
}
