import type { LinkPreview } from '../../bridge/shapes/link-preview.ts';
import { descriptionOf, Preview, previewHost, titleOf } from '../../messaging/contents/previews.ts';
import { imageTypeOf } from '../../protocol/blob/image-type.ts';

/** The preview in the body of a text; null if it is not shown. */
export function toPreview(text: string, given: unknown): LinkPreview | null {
  const preview = Preview.safeParse(given).data;
  const host = preview && previewHost(text, preview);
  if (!preview || !host) return null;
  const title = titleOf(preview.title);
  if (title === '') return null;
  return {
    url: preview.url,
    host,
    title,
    description: descriptionOf(preview.description ?? '') || null,
    image: imageIn(preview.image),
  };
}

function imageIn(image: string | undefined): string | null {
  const bytes = Buffer.from(image ?? '', 'base64url');
  return imageTypeOf(bytes) === null ? null : bytes.toString('base64');
}
