/**
 * Previews of links. The sender's app makes them if its person wants that. Recipients fetch nothing, and see
 * the sender's description beside the host and the link itself (docs/protocol.md, 'Link previews').
 */
import { z } from 'zod';
import { BytesUpTo, Text } from '../../protocol/primitives.ts';

/** The largest picture of a preview, in bytes. */
export const MOST_PREVIEW_IMAGE_BYTES = 16_384;

export const Preview = z.looseObject({
  url: Text(2_048),
  title: Text(300),
  description: Text(500).optional(),
  image: BytesUpTo(MOST_PREVIEW_IMAGE_BYTES).optional(),
});
export type Preview = z.infer<typeof Preview>;

/**
 * The host to show with a preview, in ASCII, so that letters of other alphabets cannot imitate it.
 * @returns null for a preview that is not shown: its link is not in the text, is not https, or names a user
 */
export function previewHost(text: string, { url }: Preview): string | null {
  if (!text.includes(url) || /\s/.test(url) || !URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? host : null;
}
