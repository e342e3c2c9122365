/**
 * Previews of messages, for lists and notifications. The compiler requires one for each kind that is more than a text.
 */
import { isKindWithLook, type KindWithLook } from '../bridge/looks.ts';
import type { MessagePreview } from '../bridge/shapes.ts';
import type { Words } from './format.ts';

const PREVIEWS: Readonly<Record<KindWithLook, (words: Words, fields: MessagePreview['fields']) => string>> = {
  invite: (words, { name }) => words.text('chats.invitation', { group: String(name) }),
};

/** One line, or the beginning of a text. */
export function previewTextIn(words: Words, { kind, fields, text }: MessagePreview): string {
  if (kind === 'deleted') return words.text('message.deleted');
  return isKindWithLook(kind) ? PREVIEWS[kind](words, fields) : text;
}
