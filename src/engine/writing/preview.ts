import type { PreviewToSend } from '../../bridge/shapes/link-preview.ts';
import {
  descriptionOf,
  MAX_PREVIEW_IMAGE_BYTES,
  type Preview,
  previewHost,
  titleOf,
} from '../../messaging/contents/previews.ts';
import { imageTypeOf } from '../../protocol/blob/image-type.ts';

/** The preview of a text for its body; none if its link is no longer in the text. */
export function previewField(text: string, preview: PreviewToSend | undefined): { preview?: Preview } {
  if (!preview || previewHost(text, preview) === null) return {};
  const title = titleOf(preview.title);
  if (title === '') return {};
  const description = descriptionOf(preview.description ?? '');
  const image = preview.image === null ? null : smallImage(preview.image);
  return {
    preview: {
      url: preview.url,
      title,
      ...(description !== '' && { description }),
      ...(image !== null && { image }),
    },
  };
}

/** In base64url; null for a picture of another format, or a longer one. */
function smallImage(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_PREVIEW_IMAGE_BYTES) return null;
  const type = imageTypeOf(bytes);
  return type === 'image/webp' || type === 'image/jpeg' ? bytes.toString('base64url') : null;
}
