/**
 * Previews of links. The sender's app makes them if its person wants that. Recipients fetch nothing, and see
 * the sender's description beside the host and the link itself (docs/protocol.md, 'Link previews').
 */
import { z } from 'zod';
import { encodeUtf8 } from '../../protocol/encoding.ts';
import { onOneLine } from '../../protocol/label.ts';
import { BytesUpTo, Text } from '../../protocol/primitives.ts';

/** The largest picture of a preview, in bytes. */
export const MAX_PREVIEW_IMAGE_BYTES = 16_384;
/** The longest link of a preview, in bytes. */
export const MAX_PREVIEW_URL_BYTES = 2_048;
const MAX_TITLE_BYTES = 300;
const MAX_DESCRIPTION_BYTES = 500;

export const Preview = z.looseObject({
  url: Text(MAX_PREVIEW_URL_BYTES),
  title: Text(MAX_TITLE_BYTES),
  description: Text(MAX_DESCRIPTION_BYTES).optional(),
  image: BytesUpTo(MAX_PREVIEW_IMAGE_BYTES).optional(),
});
export type Preview = z.infer<typeof Preview>;

/**
 * The host to show with a preview, in ASCII, so that letters of other alphabets cannot imitate it.
 * @returns null for a preview that is not shown: its link is not in the text, is not https, or names a user
 */
export function previewHost(text: string, { url }: Pick<Preview, 'url'>): string | null {
  if (!text.includes(url) || /\s/.test(url) || !URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? host : null;
}

/** A title on one line, without control characters and marks of direction; empty if nothing is left. */
export const titleOf = (text: string) => shortened(text, MAX_TITLE_BYTES);
/** A description in the same form. */
export const descriptionOf = (text: string) => shortened(text, MAX_DESCRIPTION_BYTES);

const ELLIPSIS = '…';

function shortened(text: string, most: number): string {
  // Far more than fits, before the work on each character.
  const line = onOneLine(text.slice(0, 8 * most))
    .replace(/\s+/g, ' ')
    .trim();
  if (encodeUtf8(line).length <= most) return line;
  let bytes = encodeUtf8(ELLIPSIS).length;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    bytes += encodeUtf8(segment).length;
    if (bytes > most) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}
