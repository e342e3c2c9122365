/** The searchable parts of a stored message: its current text with the names of its files, and its filters. */
import { toSearchText } from '../../base/search-text.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
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

/** Fields were checked at arrival; a field of another type is ignored. */
export function searchableOf({ body, edit, deleted_by }: SearchableRow): Searchable | null {
  if (deleted_by !== null) return null;
  const { text, caption, files } = JSON.parse(body) as MessageBody & Record<string, unknown>;
  const written = edit === null ? (text ?? caption) : (JSON.parse(edit) as StoredEdit).text;
  const current = typeof written === 'string' ? written.toWellFormed().normalize('NFC') : '';
  const all = Array.isArray(files) ? (files as Record<string, unknown>[]) : [];
  const names = all.flatMap(({ name, alt }) => [name, alt].filter((each) => typeof each === 'string'));
  const has: SearchedContent[] = [];
  if (LINK.test(current)) has.push('link');
  if (all.length > 0) has.push('file');
  if (all.some(({ mediaType }) => typeof mediaType === 'string' && mediaType.startsWith('image/')))
    has.push('picture');
  return current === '' && all.length === 0 ? null : { text: current, names, has };
}

/** All words of a message in the form that search compares, one line for the text and one for each name. */
export function searchTextOf({ text, names }: Searchable): string {
  return [text, ...names].map(toSearchText).join('\n');
}
