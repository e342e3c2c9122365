/** Finds messages, newest first: candidates from the index, each verified with the message itself. */
import type { CandidateRow, MessageSearch, SearchIndex } from '../cache/search-index.ts';
import { type Searchable, searchableOf, searchTextOf } from '../cache/searchable.ts';

/** A message that meets all conditions. */
export interface FoundMessage {
  id: number;
  conversationId: number;
  /** Wire address. */
  sender: string;
  /** JSON; null for a person or if unknown. */
  bot: string | null;
  /** Time that is shown, in milliseconds since 1970. */
  at: number;
  content: Searchable;
}

export interface FoundPage {
  found: FoundMessage[];
  /** The search goes on with messages before this id; null at the end. */
  next: number | null;
}

/** Candidates per step: few at first, because common words are found at once. */
const FIRST_STEP = 100;
const LONGEST_STEP = 2_000;
/** Candidates of one call, so that it ends soon. */
const MOST_CANDIDATES = 10_000;
/** Newest messages that are read without the index for terms shorter than a trigram. */
const NEWEST = 400;

/**
 * @param before only messages with a lower id
 * @param limit number of messages
 */
export function findMessages(
  index: SearchIndex,
  search: MessageSearch,
  before: number,
  limit: number,
): FoundPage {
  const found: FoundMessage[] = [];
  let candidates = 0;
  let end = before;
  /** Adds matches among ids, newest first. @returns the id at which the page is full; null if it is not */
  const add = (ids: readonly number[]): number | null => {
    candidates += ids.length;
    for (const row of index.rows(search, ids)) {
      const match = matchOf(row, search);
      if (match === null) continue;
      found.push(match);
      if (found.length === limit) return match.id;
    }
    return null;
  };
  if (isShort(search)) {
    const ids = index.newest(end, NEWEST);
    const full = add(ids);
    if (full !== null) return { found, next: full };
    end = ids.at(-1) ?? end;
  }
  let step = FIRST_STEP;
  for (const part of index.parts(end)) {
    for (;;) {
      const ids = index.candidates(part, search, end, step);
      const full = add(ids);
      if (full !== null) return { found, next: full };
      const last = ids.at(-1);
      if (last !== undefined) end = last;
      if (ids.length < step) break;
      if (candidates >= MOST_CANDIDATES) return { found, next: end };
      step = Math.min(LONGEST_STEP, step * 2);
    }
  }
  return { found, next: null };
}

/** True for a search that the index answers by all messages with a character. */
function isShort({ terms, conversationIds, senders, has }: MessageSearch): boolean {
  const hasFilter = conversationIds !== null || senders !== null || has.length > 0;
  return !hasFilter && terms.every((term) => [...term].length < 3);
}

/** The index may name other messages, too: it knows neither the order of trigrams nor whole addresses. */
function matchOf(row: CandidateRow, search: MessageSearch): FoundMessage | null {
  if (search.conversationIds && !search.conversationIds.includes(row.conversation_id)) return null;
  if (search.senders && !search.senders.includes(row.sender)) return null;
  const content = searchableOf(row);
  if (content === null || !search.has.every((each) => content.has.includes(each))) return null;
  const text = searchTextOf(content);
  if (!search.terms.every((term) => text.includes(term))) return null;
  const { id, conversation_id: conversationId, sender, bot, at } = row;
  return { id, conversationId, sender, bot, at, content };
}
