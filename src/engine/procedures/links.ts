/** Links in messages. */
import { Failure } from '../../base/failure.ts';
import type { EngineParts } from '../parts.ts';
import { toMessages } from '../views/messages.ts';
import type { Procedures } from './implementation.ts';

type Names = 'links.list';

const LAST = { messageId: Number.MAX_SAFE_INTEGER, place: 0 };

export function linkProcedures({ context }: EngineParts): Pick<Procedures, Names> {
  const { conversations, links, messages } = context;
  return {
    'links.list': ({ conversationId, before, limit }) => {
      const conversation = conversations.get(Number(conversationId));
      if (!conversation) throw new Failure('chat_deleted');
      if (conversation.state === 'request') return { links: [], messages: [], hasOlder: false };
      const last = before ? { messageId: Number(before.messageId), place: before.place } : LAST;
      const found = links.list(conversation.id, last, limit + 1);
      const page = found.slice(0, limit);
      const of = messages.getAll([...new Set(page.map(({ messageId }) => messageId))]);
      return {
        links: page.map(({ messageId, ...rest }) => ({ ...rest, messageId: String(messageId) })),
        messages: toMessages(context, conversation, of),
        hasOlder: found.length > limit,
      };
    },
  };
}
