/** The searchable parts of a stored message: its current text with the names of its files, and its filters. */
import { toFileName } from '../protocol/blob/file-name.ts';
import { toSearchText } from './search-text.ts';

/** Content that a message can be filtered by. */
export type SearchedContent = 'link' | 'file' | 'picture';

export interface Searchable {
  /** As it was written, after the newest edit, in NFC. */
  text: string;
  /** Names and descriptions of its files. */
  names: string[];
  has: SearchedContent[];
}

const LINK = /https?:\/\/|\bwww\./i;

/**
 * Null for a message without searchable parts. Only the fields of its kind count, and none is trusted: an error here would stop
 * the storing of messages.
 * @param content the signed body
 * @param edited the text after the newest edit; null without an edit
 */
export function searchableIn(content: Readonly<Record<string, unknown>>, edited: unknown): Searchable | null {
  const { kind } = content;
  if (kind !== 'text' && kind !== 'attachment') return null;
  const written = kind === 'text' ? content.text : content.caption;
  const text = textIn(edited ?? written)
    .toWellFormed()
    .normalize('NFC');
  const files = kind === 'attachment' && Array.isArray(content.files) ? content.files.map(fileIn) : [];
  const names = files.flatMap(({ name, alt }) => [toFileName(name), ...(alt === '' ? [] : [alt])]);
  const has: SearchedContent[] = [];
  if (LINK.test(text)) has.push('link');
  if (files.length > 0) has.push('file');
  if (files.some(({ mediaType }) => mediaType.startsWith('image/'))) has.push('picture');
  return text === '' && files.length === 0 ? null : { text, names, has };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

function fileIn(value: unknown): { name: string; alt: string; mediaType: string } {
  const { name, alt, mediaType } = (value ?? {}) as Record<string, unknown>;
  return { name: textIn(name), alt: textIn(alt), mediaType: textIn(mediaType) };
}

/** All words of a message in the form that search compares, one line for the text and one for each name. */
export function searchTextOf({ text, names }: Searchable): string {
  return [text, ...names].map(toSearchText).join('\n');
}
