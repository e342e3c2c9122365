/**
 * A typed search: words, "exact words", and the filters from:, in:, has:, before: and after:. A filter with an unknown value
 * is searched as a word.
 */
import { toSearchText } from './search-text.ts';
import type { SearchedContent } from './searchable.ts';

export interface Query {
  /** All of them must occur, in the form of `toSearchText`. */
  terms: string[];
  /** Parts of names of senders, in the same form; `me` is the person. */
  from: string[];
  /** Parts of names of conversations, in the same form. */
  in: string[];
  has: SearchedContent[];
  /** Milliseconds since 1970; messages from this time on. */
  after: number | null;
  /** Milliseconds since 1970; messages earlier than this time. */
  before: number | null;
}

/** A quote without an end reaches to the end of the text: it is still being typed. */
const WORD = /(?:(from|in|has|before|after):)?(?:"([^"]*)(?:"|$)|(\S+))/gi;

const CONTENTS: Readonly<Record<string, SearchedContent>> = {
  link: 'link',
  links: 'link',
  file: 'file',
  files: 'file',
  picture: 'picture',
  pictures: 'picture',
  image: 'picture',
  photo: 'picture',
};

/** @param typed at most 500 characters */
export function parseQuery(typed: string): Query {
  const query: Query = { terms: [], from: [], in: [], has: [], after: null, before: null };
  for (const [whole, filter, exact, word] of typed.matchAll(WORD)) {
    const value = toSearchText(exact ?? word ?? '').replace(/^@/, filter === undefined ? '$&' : '');
    if (!addFilter(query, filter?.toLowerCase(), value))
      addTerm(query, filter === undefined ? value : toSearchText(whole));
  }
  return query;
}

/** Reports whether a search has no condition. */
export function isEmptyQuery({ terms, from, in: chats, has, after, before }: Query): boolean {
  return terms.length + from.length + chats.length + has.length === 0 && after === null && before === null;
}

/** Reports whether a search has a condition that only messages meet. */
export function hasFilters({ from, in: chats, has, after, before }: Query): boolean {
  return from.length + chats.length + has.length > 0 || after !== null || before !== null;
}

/** Reports whether one of the names has one of the parts. An address must match as a whole: many contain names such as Ada. */
export function isNamed(
  parts: readonly string[],
  address: string | null,
  names: readonly (string | null | undefined)[],
): boolean {
  const compared = names.flatMap((name) => (name ? [toSearchText(name)] : []));
  return parts.some((part) => part === address || compared.some((name) => name.includes(part)));
}

function addTerm(query: Query, term: string): void {
  if (term.trim() !== '' && !query.terms.includes(term)) query.terms.push(term);
}

/** @returns whether it was a filter with a known value */
function addFilter(query: Query, filter: string | undefined, value: string): boolean {
  if (filter === undefined || value.trim() === '') return false;
  if (filter === 'from') query.from.push(value);
  else if (filter === 'in') query.in.push(value);
  else if (filter === 'has') {
    const content = CONTENTS[value];
    if (content === undefined) return false;
    query.has.push(content);
  } else {
    const day = dayOf(value);
    if (day === null) return false;
    if (filter === 'after') query.after = Math.max(query.after ?? day, day);
    else query.before = Math.min(query.before ?? day, day);
  }
  return true;
}

/** Beginning of a day such as 2026-01-31, by the clock of this computer; null for another text. */
function dayOf(text: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (year === undefined) return null;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date.getTime() : null;
}
