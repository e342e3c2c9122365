/**
 * Summaries of messages, for lists and notifications. The compiler requires one for each kind that is more than a text.
 */
import { isKindWithLook, type KindWithLook } from '../bridge/looks.ts';
import type { MessageSummary } from '../bridge/shapes/message.ts';
import type { Words } from './format.ts';

const SUMMARIES: Readonly<Record<KindWithLook, (words: Words, summary: MessageSummary) => string>> = {
  attachment: (words, { fields, text }) => {
    const files = filesTextIn(words, fields);
    return text === '' ? files : `${files} · ${text}`;
  },
  invite: (words, { fields }) => words.text('chats.invitation', { group: String(fields.name) }),
};

/** Files by their common type; a single other file by its name. */
function filesTextIn(words: Words, { type, count: many, name }: MessageSummary['fields']): string {
  const count = Number(many);
  switch (type) {
    case 'image':
      return words.text('chats.photos', { count });
    case 'video':
      return words.text('chats.videos', { count });
    case 'voice':
      return words.text('chats.voiceMessage');
    case 'audio':
      return words.text('chats.audioFiles', { count });
    default:
      return count === 1 ? String(name) : words.text('chats.files', { count });
  }
}

/** One line, or the beginning of a text. */
export function summaryTextIn(words: Words, summary: MessageSummary): string {
  const { kind, text } = summary;
  if (kind === 'deleted') return words.text('message.deleted');
  return isKindWithLook(kind) ? SUMMARIES[kind](words, summary) : text;
}
