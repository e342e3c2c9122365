/** The searchable parts of a stored body. */
import { Searchable, type SearchedContent } from '../../base/searchable.ts';
import { toFileName } from '../../protocol/blob/file-name.ts';
import { textFieldOf } from './message-kinds.ts';

const LINK = /https?:\/\/|\bwww\./i;

/**
 * Null for a message without searchable parts. Only the fields of its kind count, and none is trusted: an error here would stop
 * the storing of messages.
 * @param content the signed body
 * @param edited the text after the newest edit; null without an edit
 */
export function searchableIn(content: Readonly<Record<string, unknown>>, edited: unknown): Searchable | null {
  const { kind } = content;
  const field = textFieldOf(kind);
  if (field === null) return null;
  const text = textIn(edited ?? content[field])
    .toWellFormed()
    .normalize('NFC');
  const files = kind === 'attachment' && Array.isArray(content.files) ? content.files.map(fileIn) : [];
  const names = files.flatMap(({ name, alt }) => [toFileName(name), ...(alt === '' ? [] : [alt])]);
  const has: SearchedContent[] = [];
  if (LINK.test(text)) has.push('link');
  if (files.length > 0) has.push('file');
  if (files.some(({ mediaType }) => mediaType.startsWith('image/'))) has.push('picture');
  if (text === '' && files.length === 0) return null;
  return new Searchable(text, names, has);
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

function fileIn(value: unknown): { name: string; alt: string; mediaType: string } {
  const { name, alt, mediaType } = (value ?? {}) as Record<string, unknown>;
  return { name: textIn(name), alt: textIn(alt), mediaType: textIn(mediaType) };
}
