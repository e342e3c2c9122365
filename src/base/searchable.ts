/** The searchable parts of a stored message: its current text with the names of its files, and its filters. */
import { formsWithoutMarks, mayHaveMarks } from './markdown/words.ts';
import { toSearchText } from './search-text.ts';

/** Content that a message can be filtered by. */
export type SearchedContent = 'link' | 'file' | 'picture';

/** Number of compared characters that take as long as the parsing of one. */
const PARSING = 10;

export class Searchable {
  readonly text: string;
  readonly names: readonly string[];
  readonly has: readonly SearchedContent[];
  #forms: ReturnType<typeof formsWithoutMarks> | undefined;

  /**
   * @param text as it was written, after the newest edit, in NFC
   * @param names names and descriptions of its files
   */
  constructor(text: string, names: readonly string[], has: readonly SearchedContent[]) {
    this.text = text;
    this.names = names;
    this.has = has;
  }

  /** The text without formatting marks, as it is shown. Code keeps its marks. */
  get plain(): string {
    return this.#parsed().plain;
  }

  /** Also without marks inside of words, which are shown. */
  get bare(): string {
    return this.#parsed().bare;
  }

  /**
   * Reports whether a message has all terms, and the cost of the comparison, in characters. A text is parsed only if the terms are
   * not in it as it was written: a long one of marks only takes some milliseconds.
   * @param terms in the form of `toSearchText`
   */
  compare(terms: readonly string[]): { isMatch: boolean; cost: number } {
    const hasAll = (compared: string) => terms.every((term) => compared.includes(term));
    const written = [this.text, ...this.names].map(toSearchText).join('\n');
    if (hasAll(written)) return { isMatch: true, cost: written.length };
    if (!mayHaveMarks(this.text)) return { isMatch: false, cost: written.length };
    return { isMatch: hasAll(searchTextOf(this)), cost: written.length + PARSING * this.text.length };
  }

  /** Once for both forms, and only if one of them is needed. */
  #parsed() {
    this.#forms ??= formsWithoutMarks(this.text);
    return this.#forms;
  }
}

/**
 * All words of a message in the form that search compares, one line for each different form of the text, and one for
 * each name.
 */
export function searchTextOf({ text, plain, bare, names }: Searchable): string {
  return [...new Set([text, plain, bare]), ...names].map(toSearchText).join('\n');
}
