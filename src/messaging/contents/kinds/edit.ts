/** `edit`: a new text of a message, by its author. */
import { z } from 'zod';
import { decodeTime } from '../../../protocol/encoding.ts';
import { Text } from '../../../protocol/primitives.ts';
import { findEditProblem, newTextOf } from '../edits.ts';
import { besideText, MAX_CAPTION_BYTES, Ref } from '../fields.ts';
import { controlKind } from '../kind.ts';
import { applyTo } from '../targets.ts';
import { MAX_TEXT_BYTES } from '../text.ts';

const { mentions } = besideText;

/**
 * A new `text` of a text, or a new `caption` of files, with its mentions. An empty caption removes the one before. It
 * cannot change files: one that names any is malformed.
 */
export const EditContent = z
  .object({
    kind: z.literal('edit'),
    target: Ref,
    text: Text(MAX_TEXT_BYTES).optional(),
    caption: Text(MAX_CAPTION_BYTES).or(z.literal('')).optional(),
    files: z.undefined().optional(),
    mentions,
  })
  .refine(({ text, caption }) => (text === undefined) !== (caption === undefined));
export type EditContent = z.infer<typeof EditContent>;

export const edit = controlKind({
  name: 'edit',
  schema: EditContent,
  apply: (content, by, store) =>
    applyTo(content, content.target, by, store, (target) => {
      const { mentions = [] } = content;
      const { version, receivedAt, wasRequested } = by;
      const text = newTextOf(target.body.kind, content);
      if (text === null) return false;
      const times = { sentAt: decodeTime(version.sentAt), receivedAt };
      if (findEditProblem(target, times, wasRequested) !== null) return false;
      return target.addEdit({ text, mentions }, version);
    }),
});
