import { toSearchText } from '../../../src/base/search-text.ts';
import { Searchable } from '../../../src/base/searchable.ts';
import { snippetOf } from '../../../src/base/snippet.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import type { AnswersOf } from '../contract.ts';
import type { World } from '../world.ts';

const contentOf = ({ text }: Message) => new Searchable(text, [], []);

/** Search in messages, without filters. */
export function searchAnswers(world: World): AnswersOf<'search'> {
  const termsOf = (text: string) => toSearchText(text).split(' ').filter(Boolean);
  const find = (text: string, conversationId?: string): Message[] => {
    const terms = termsOf(text);
    if (terms.length === 0) return [];
    return [...world.messages.values()]
      .flat()
      .filter((message) => conversationId === undefined || message.conversationId === conversationId)
      .filter((message) => contentOf(message).compare(terms).isMatch)
      .sort((a, b) => b.at - a.at);
  };
  return {
    'search.messages': ({ text, conversationId, before, limit }) => {
      const all = find(text, conversationId);
      const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
      const page = all.slice(from, from + limit);
      return {
        hits: page.map((message) => {
          const { text: snippet, marks } = snippetOf(contentOf(message), termsOf(text));
          return {
            id: message.id,
            conversationId: message.conversationId,
            author: message.author,
            bot: message.bot?.name ?? null,
            at: message.at,
            snippet,
            marks,
            has: [],
          };
        }),
        next: from + limit < all.length ? (page.at(-1)?.id ?? null) : null,
        isComplete: world.isIndexed,
      };
    },
    'search.inConversation': ({ conversationId, text }) => ({
      ids: find(text, conversationId).map(({ id }) => id),
      hasMore: false,
      terms: termsOf(text),
      isComplete: world.isIndexed,
    }),
  };
}
