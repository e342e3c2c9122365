/**
 * `attachment`: files, with a caption.
 */
import { z } from 'zod';
import { CONTENT_FALLBACKS, CONTENT_SUMMARIES } from '../../../base/content-sentences.ts';
import { AttachedFile } from '../../../protocol/blob/file.ts';
import { toFileName } from '../../../protocol/blob/file-name.ts';
import { Text } from '../../../protocol/primitives.ts';
import { besideText, MAX_CAPTION_BYTES, type Mention, type Ref } from '../fields.ts';
import { fileTypeOf } from '../file-types.ts';
import { viewKind } from '../kind.ts';

/** Limit of files in one message. */
export const MAX_FILES = 10;
/** All thumbnails of a message together, in bytes. */
export const MAX_THUMBNAILS_BYTES = 24 * 1024;

/** Bytes of base64url without padding. */
function decodedLength(text: string): number {
  return Math.floor((text.length * 3) / 4);
}

export const AttachmentContent = z.looseObject({
  kind: z.literal('attachment'),
  files: z
    .array(AttachedFile)
    .min(1)
    .max(MAX_FILES)
    .refine(
      (files) =>
        files.reduce((sum, { thumbnail }) => sum + decodedLength(thumbnail ?? ''), 0) <= MAX_THUMBNAILS_BYTES,
    ),
  caption: Text(MAX_CAPTION_BYTES).optional(),
  ...besideText,
});
export type AttachmentContent = z.infer<typeof AttachmentContent>;

/** Common type of files; `other` for different ones. */
function commonType(files: readonly AttachedFile[]): string {
  const types = new Set(files.map(fileTypeOf));
  return types.size === 1 ? ([...types][0] ?? 'other') : 'other';
}

export const attachment = viewKind({
  name: 'attachment',
  schema: AttachmentContent,
  textField: 'caption',
  editable: true,
  unsigned: true,
  summary: ({ files, caption }) =>
    caption ?? CONTENT_SUMMARIES.attachment({ names: files.map(({ name }) => toFileName(name)) }),
  fields: ({ files }) => ({
    count: files.length,
    type: commonType(files),
    name: toFileName(files[0]?.name ?? ''),
  }),
});

/** Files to send, with a text for apps that do not know the kind. */
export function messageWithFiles(
  files: readonly AttachedFile[],
  beside: {
    caption: string;
    mentions?: readonly Mention[];
    replyTo?: Ref | undefined;
    forwarded?: boolean;
  },
): { kind: 'attachment'; fallback: string } & Record<string, unknown> {
  const { caption, mentions, replyTo, forwarded } = beside;
  return {
    kind: 'attachment',
    files,
    ...(caption !== '' && { caption }),
    ...(mentions && mentions.length > 0 && { mentions }),
    ...(replyTo && { replyTo }),
    ...(forwarded && { forwarded }),
    fallback: CONTENT_FALLBACKS.attachment({ count: files.length }),
  };
}
