/** Finds messages, newest first: candidates from the index, each verified with the message itself. */

import type { Searchable } from '../../base/searchable.ts';
import {
  type CandidateRow,
  type MessageSearch,
  type SearchIndex,
  shortTermOf,
} from '../cache/search-index.ts';
import { searchableOf } from '../cache/searchable.ts';

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
  /** The search continues with messages before this id; null at the end. */
  next: number | null;
}

/** Candidates per step: few at first, because common words are found at once. */
const FIRST_STEP = 100;
const LONGEST_STEP = 2_000;
/** Candidates of one call, and the cost of their comparison in characters, so that it ends soon. */
const MAX_CANDIDATES = 10_000;
const MAX_CHARACTERS = 1_000_000;
/** Newest messages that are read without looking up a term shorter than a trigram. */
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
  const allowed = {
    chats: search.conversationIds && new Set(search.conversationIds),
    senders: search.senders && new Set(search.senders),
  };
  let [end, candidates, characters] = [before, 0, 0];
  /** Adds matches among ids, newest first, and moves the end. @returns whether the search may go on */
  const add = (ids: readonly number[]): boolean => {
    candidates += ids.length;
    for (const row of index.rows(search, ids)) {
      const { match, cost } = verify(row, search, allowed);
      characters += cost;
      if (match) found.push(match);
      if (found.length === limit || characters >= MAX_CHARACTERS) {
        end = row.id;
        return false;
      }
    }
    end = ids.at(-1) ?? end;
    return candidates < MAX_CANDIDATES;
  };
  const isShort = shortTermOf(search) !== null;
  if (isShort) {
    const newest = { ...search, terms: [] };
    for (const part of index.parts(end)) {
      if (!add(index.candidates(part, newest, end, NEWEST - candidates))) return { found, next: end };
      if (candidates >= NEWEST) break;
    }
  }
  // A part is looked up once for a short term.
  let step = isShort ? MAX_CANDIDATES : FIRST_STEP;
  for (const part of index.parts(end)) {
    for (;;) {
      const ids = index.candidates(part, search, end, step);
      if (!add(ids)) return { found, next: end };
      if (ids.length < step) break;
      step = Math.max(step, Math.min(LONGEST_STEP, step * 2));
    }
  }
  return { found, next: null };
}

/**
 * The index may name other messages, too: it knows neither the order of trigrams nor whole addresses.
 * @returns the message if it meets all conditions, and the cost of the comparison, in characters
 */
function verify(
  row: CandidateRow,
  search: MessageSearch,
  { chats, senders }: { chats: ReadonlySet<number> | null; senders: ReadonlySet<string> | null },
): { match: FoundMessage | null; cost: number } {
  const none = { match: null, cost: 0 };
  if (chats && !chats.has(row.conversation_id)) return none;
  if (senders && !senders.has(row.sender)) return none;
  const content = searchableOf(row);
  if (content === null || !search.has.every((each) => content.has.includes(each))) return none;
  const { isMatch, cost } = content.compare(search.terms);
  if (!isMatch) return { match: null, cost };
  const { id, conversation_id: conversationId, sender, bot, at } = row;
  return { match: { id, conversationId, sender, bot, at, content }, cost };
}
