/** The searchable parts of a stored message: its current text with the names of its files, and its filters. */
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

/** All words of a message in the form that search compares, one line for the text and one for each name. */
export function searchTextOf({ text, names }: Searchable): string {
  return [text, ...names].map(toSearchText).join('\n');
}
