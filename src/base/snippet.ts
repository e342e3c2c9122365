/** The part of a message that a search result shows. */
import { placesOf, type TextRange, toSearchText } from './search-text.ts';
import type { Searchable } from './searchable.ts';

/** Characters shown before the first match, and in all. */
const BEFORE = 40;
const LONGEST = 240;
const MAX_MARKS = 50;

export interface Snippet {
  text: string;
  /** Places of the terms in it. */
  marks: TextRange[];
}

/** @param terms in the form of `toSearchText` */
export function snippetOf({ text, names }: Searchable, terms: readonly string[]): Snippet {
  const has = (each: string) => {
    const compared = toSearchText(each);
    return terms.some((term) => compared.includes(term));
  };
  // Without a match in its text, the name of a file has it.
  const shown = has(text) ? text : (names.find(has) ?? (text === '' ? (names[0] ?? '') : text));
  const places = placesOf(shown, terms, MAX_MARKS);
  const from = beginning(shown, places[0]?.from ?? 0);
  const to = whole(shown, Math.min(shown.length, from + LONGEST));
  const [lead, tail] = [from > 0 ? '…' : '', to < shown.length ? '…' : ''];
  return {
    text: lead + shown.slice(from, to) + tail,
    marks: places
      .filter((place) => place.from < to)
      .map((place) => ({
        from: place.from - from + lead.length,
        to: Math.min(place.to, to) - from + lead.length,
      })),
  };
}

/** Beginning of a word shortly before a match. */
function beginning(text: string, match: number): number {
  if (match <= BEFORE) return 0;
  const space = text.slice(match - BEFORE, match).search(/\s/);
  return whole(text, space === -1 ? match - BEFORE : match - BEFORE + space + 1);
}

/** Not inside of a surrogate pair. */
const whole = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at);
