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

/**
 * The text without formatting marks, unless another form of it has more of the terms.
 * @param terms in the form of `toSearchText`
 */
export function snippetOf({ text, plain, bare, names }: Searchable, terms: readonly string[]): Snippet {
  const count = (each: string) => {
    const compared = toSearchText(each);
    return terms.filter((term) => compared.includes(term)).length;
  };
  const forms = new Set([plain, text, bare]);
  const best = [...forms].reduce((best, form) => (count(form) > count(best) ? form : best));
  // Without a match in its text, the name of a file has it.
  const named = count(best) > 0 ? undefined : names.find((name) => count(name) > 0);
  const shown = named ?? (best === '' ? (names[0] ?? '') : best);
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
