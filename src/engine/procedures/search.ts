/** Search in messages. */

import { isEmptyQuery, isNamed, parseQuery, type Query } from '../../base/search-query.ts';
import { snippetOf } from '../../base/snippet.ts';
import type { SearchHit } from '../../bridge/shapes/message.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { botIn } from '../cache/group-chains.ts';
import type { MessageSearch } from '../cache/search-index.ts';
import type { EngineParts } from '../parts.ts';
import { type FoundMessage, findMessages } from '../search/find-messages.ts';
import { botName, groupName, namesOf } from '../views/conversations.ts';
import type { Names as NamesOf } from '../views/names.ts';
import { namesakesOf, namesInGroup } from '../views/namesakes.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `search.${string}`>;

/** Matches of a search in one conversation. */
const MAX_IN_CONVERSATION = 1_000;
/** Steps of a search in one conversation, so that it ends soon. */
const MAX_PAGES = 5;
/** People whose names are compared with a filter. */
const MAX_PEOPLE = 10_000;

export function searchProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { contacts, conversations, groups, identity, searchIndex, timelines } = context;

  /** Addresses of people whose names have one of these parts. */
  const sendersOf = (wanted: readonly string[]): string[] => {
    const me = identity.get();
    const parts = wanted.filter((part) => part !== 'me');
    const named = contacts
      .profiles(contacts.addresses(MAX_PEOPLE))
      .filter(({ address, displayName, handle, nickname }) =>
        isNamed(parts, address, [displayName, handle, nickname]),
      );
    const isOwn =
      me && (parts.length < wanted.length || isNamed(parts, me.address, [me.displayName, me.handle]));
    return [...(isOwn ? [me.address] : []), ...named.map(({ address }) => address)];
  };

  /** Conversations whose names have one of these parts. */
  const conversationsOf = (wanted: readonly string[]): number[] =>
    conversations
      .list()
      .filter(({ partner }) => {
        if (partner.kind === 'direct') {
          const { address, nickname, displayName, handle } = partner.peer;
          return isNamed(wanted, address, [nickname, displayName, handle]);
        }
        const group = groups.get(partner.groupId);
        return group !== null && isNamed(wanted, null, [groupName(group)]);
      })
      .map(({ id }) => id);

  /** The senders of messages, as they are shown in each conversation. */
  const namesIn = (found: readonly FoundMessage[]): ((conversationId: number) => NamesOf) => {
    const names = namesOf(
      context,
      found.map(({ sender }) => sender),
    );
    const namesakes = namesakesOf(context, names);
    const ids = new Set(found.map(({ conversationId }) => conversationId));
    const byChat = new Map(
      [...ids].map((id) => {
        const partner = conversations.get(id)?.partner;
        const group = partner?.kind === 'group' ? groups.get(partner.groupId) : null;
        return [id, namesInGroup(group, names, namesakes)];
      }),
    );
    return (conversationId) => byChat.get(conversationId) ?? names;
  };

  const searchFor = (query: Query, conversationId: number | null): MessageSearch => {
    const named = query.in.length > 0 ? conversationsOf(query.in) : null;
    const all = named ?? (conversationId === null ? null : [conversationId]);
    return {
      terms: query.terms,
      conversationIds: conversationId === null ? all : (all?.filter((id) => id === conversationId) ?? null),
      senders: query.from.length > 0 ? sendersOf(query.from) : null,
      has: query.has,
      after: query.after,
      before: query.before,
    };
  };

  return {
    'search.messages': ({ text, conversationId, before, limit }) => {
      const query = parseQuery(text);
      const search = searchFor(query, conversationId === undefined ? null : Number(conversationId));
      const isComplete = searchIndex.isComplete;
      if (isEmptyQuery(query) || isImpossible(search)) return { hits: [], next: null, isComplete };
      const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
      const { found, next } = findMessages(searchIndex, search, from, limit);
      const names = namesIn(found);
      const hits = found.map((message) =>
        toHit(message, query.terms, names(message.conversationId)(message.sender)),
      );
      return { hits, next: next === null ? null : String(next), isComplete };
    },

    'search.inConversation': ({ conversationId, text }) => {
      const query = parseQuery(text);
      const search = searchFor(query, Number(conversationId));
      const isComplete = searchIndex.isComplete;
      const found: number[] = [];
      let next: number | null = isEmptyQuery(query) || isImpossible(search) ? null : Number.MAX_SAFE_INTEGER;
      for (let pages = 0; next !== null && found.length < MAX_IN_CONVERSATION && pages < MAX_PAGES; pages++) {
        const page = findMessages(searchIndex, search, next, MAX_IN_CONVERSATION - found.length);
        found.push(...page.found.map(({ id }) => id));
        next = page.next;
      }
      const ids = timelines.newestFirst(found).map(String);
      return { ids, hasMore: next !== null, terms: query.terms, isComplete };
    },
  };
}

/** True if no person and no conversation has the wanted name. */
const isImpossible = ({ conversationIds, senders }: MessageSearch) =>
  conversationIds?.length === 0 || senders?.length === 0;

function toHit(message: FoundMessage, terms: readonly string[], author: Person): SearchHit {
  const { text, marks } = snippetOf(message.content, terms);
  return {
    id: String(message.id),
    conversationId: String(message.conversationId),
    author,
    bot: botName(botIn(message.bot)),
    at: message.at,
    snippet: text,
    marks,
    has: [...message.content.has],
  };
}
