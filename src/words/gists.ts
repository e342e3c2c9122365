/**
 * What lists and notifications say of a message. The compiler asks for the words of each kind that is more than a text.
 */
import { isKindWithLook, type KindWithLook } from '../bridge/looks.ts';
import type { MessagePreview } from '../bridge/shapes.ts';
import type { Words } from './format.ts';

const GISTS: Readonly<Record<KindWithLook, (words: Words, fields: MessagePreview['fields']) => string>> = {
  invite: (words, { name }) => words.text('chats.invitation', { group: String(name) }),
};

/** One line, or the beginning of a text. */
export function gistText(words: Words, { kind, fields, text }: MessagePreview): string {
  if (kind === 'deleted') return words.text('message.deleted');
  return isKindWithLook(kind) ? GISTS[kind](words, fields) : text;
}
