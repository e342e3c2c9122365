import type { PreviewToSend } from '../../../../bridge/shapes/link-preview.ts';
import { callBridge } from '../../../bridge.ts';
import { isDecodable, pictureHead } from '../../../shared/pictures/picture-head.ts';
import { thumbnailOf } from '../files/thumbnail.ts';

/** The longest picture of a preview, in bytes. */
const MAX_IMAGE_BYTES = 16_384;

/** Fetches the description of a page, and redraws its picture. Null for none. */
export async function makePreview(url: string): Promise<PreviewToSend | null> {
  const { page } = await callBridge('links.preview', { url });
  return page && { url, ...page, image: page.image === null ? null : await drawnAnew(page.image) };
}

/** Null for a picture that is broken, or too large for a decoder. */
async function drawnAnew(base64: string): Promise<string | null> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const head = pictureHead(bytes);
  if (!head || !isDecodable(head)) return null;
  const bitmap = await createImageBitmap(new Blob([bytes], { type: `image/${head.format}` })).catch(
    () => null,
  );
  if (!bitmap) return null;
  const drawn = await thumbnailOf(bitmap, MAX_IMAGE_BYTES);
  bitmap.close();
  return drawn;
}
