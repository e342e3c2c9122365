/** `text`: a written message. */
import { z } from 'zod';
import { Text } from '../../../protocol/primitives.ts';
import { besideText } from '../fields.ts';
import { textKind } from '../kind.ts';
import { Preview } from '../previews.ts';
import { MAX_TEXT_BYTES } from '../text.ts';

export const TextContent = z.looseObject({
  kind: z.literal('text'),
  text: Text(MAX_TEXT_BYTES),
  ...besideText,
  preview: Preview.optional(),
});
export type TextContent = z.infer<typeof TextContent>;

export const text = textKind({
  name: 'text',
  schema: TextContent,
  textField: 'text',
  editable: true,
  unsigned: true,
});
