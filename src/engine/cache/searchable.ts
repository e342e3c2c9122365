/** The searchable parts of a stored message: its current text with the names of its files, and its filters. */
import { toSearchText } from '../../base/search-text.ts';
import { toFileName } from '../../protocol/blob/file-name.ts';
import type { StoredEdit } from './annotations.ts';

/** Content that a message can be filtered by. */
export type SearchedContent = 'link' | 'file' | 'picture';

export interface Searchable {
  /** As it was written, after the newest edit, in NFC. */
  text: string;
  /** Names and descriptions of its files. */
  names: string[];
  has: SearchedContent[];
}

/** Columns of a message to search in. */
export interface SearchableRow {
  body: string;
  edit: string | null;
  deleted_by: string | null;
}

const LINK = /https?:\/\/|\bwww\./i;

/**
 * Null for a message without searchable parts. Only the fields of its kind count. They were checked at arrival, and are not
 * trusted once more: an error here would stop the storing of messages.
 */
export function searchableOf({ body, edit, deleted_by }: SearchableRow): Searchable | null {
  if (deleted_by !== null) return null;
  const content = JSON.parse(body) as Record<string, unknown>;
  const { kind } = content;
  if (kind !== 'text' && kind !== 'attachment') return null;
  const written = kind === 'text' ? content.text : content.caption;
  const text = textIn(edit === null ? written : (JSON.parse(edit) as StoredEdit).text)
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

/** Bytes in the search index for a message, about: twice each of its trigrams. Measured with random texts of several scripts. */
export function bytesInIndex(content: Searchable): number {
  const characters = [...searchTextOf(content)];
  const trigrams = new Set(characters.map((_, at) => characters.slice(at, at + 3).join('')));
  let bytes = 0;
  for (const trigram of trigrams) bytes += 2 * Buffer.byteLength(trigram);
  return bytes;
}
