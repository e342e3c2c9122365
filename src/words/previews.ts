/**
 * Previews of messages, for lists and notifications. The compiler requires one for each kind that is more than a text.
 */
import { isKindWithLook, type KindWithLook } from '../bridge/looks.ts';
import type { MessagePreview } from '../bridge/shapes.ts';
import type { Words } from './format.ts';

const PREVIEWS: Readonly<Record<KindWithLook, (words: Words, preview: MessagePreview) => string>> = {
  attachment: (words, { fields, text }) =>
    words.text('chats.files', {
      type: String(fields.type),
      count: Number(fields.count),
      name: String(fields.name),
    }) + (text === '' ? '' : ` · ${text}`),
  invite: (words, { fields }) => words.text('chats.invitation', { group: String(fields.name) }),
};

/** One line, or the beginning of a text. */
export function previewTextIn(words: Words, preview: MessagePreview): string {
  const { kind, text } = preview;
  if (kind === 'deleted') return words.text('message.deleted');
  return isKindWithLook(kind) ? PREVIEWS[kind](words, preview) : text;
}
