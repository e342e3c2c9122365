/** The searchable parts of a stored message: its current text with the names of its files, and its filters. */
import { toSearchText } from './search-text.ts';

/** Content that a message can be filtered by. */
export type SearchedContent = 'link' | 'file' | 'picture';

export interface Searchable {
  /** As it was written, after the newest edit, in NFC. */
  text: string;
  /** The same without formatting marks, as it is shown. Code keeps its marks. */
  plain: string;
  /** Also without marks inside of words, which are shown. */
  bare: string;
  /** Names and descriptions of its files. */
  names: string[];
  has: SearchedContent[];
}

/**
 * All words of a message in the form that search compares, one line for each different form of the text, and one for
 * each name.
 */
export function searchTextOf({ text, plain, bare, names }: Searchable): string {
  return [...new Set([text, plain, bare]), ...names].map(toSearchText).join('\n');
}
