/**
 * `attachment`: files, with a caption.
 */
import { z } from 'zod';
import { AttachedFile } from '../../../protocol/blob/file.ts';
import { Text } from '../../../protocol/primitives.ts';
import { besideText, MOST_CAPTION_BYTES } from '../fields.ts';

const MOST_FILES = 10;
/** All thumbnails of a message together, in bytes. */
const MOST_THUMBNAILS_BYTES = 24 * 1024;

/** Bytes of base64url without padding. */
function decodedLength(text: string): number {
  return Math.floor((text.length * 3) / 4);
}

export const AttachmentContent = z.looseObject({
  kind: z.literal('attachment'),
  files: z
    .array(AttachedFile)
    .min(1)
    .max(MOST_FILES)
    .refine(
      (files) =>
        files.reduce((sum, { thumbnail }) => sum + decodedLength(thumbnail ?? ''), 0) <=
        MOST_THUMBNAILS_BYTES,
    ),
  caption: Text(MOST_CAPTION_BYTES).optional(),
  ...besideText,
});
export type AttachmentContent = z.infer<typeof AttachmentContent>;
