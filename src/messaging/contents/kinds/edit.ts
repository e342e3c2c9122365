/**
 * `edit`: another text in place of a message's, by who sent it.
 */
import { z } from 'zod';
import { Text } from '../../../protocol/primitives.ts';
import { besideText, MOST_CAPTION_BYTES, Ref } from '../fields.ts';
import { MOST_TEXT_BYTES } from '../text.ts';

const { mentions } = besideText;

/** A new `text` of a text, or a new `caption` of files. The mentions are those of the new one. */
export const EditContent = z
  .looseObject({
    kind: z.literal('edit'),
    target: Ref,
    text: Text(MOST_TEXT_BYTES).optional(),
    caption: Text(MOST_CAPTION_BYTES).optional(),
    mentions,
  })
  .refine(({ text, caption }) => (text === undefined) !== (caption === undefined));
export type EditContent = z.infer<typeof EditContent>;
