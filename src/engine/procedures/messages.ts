/**
 * Messages: pages of a timeline, sending, and what to do with one that failed.
 */
import { Failure } from '../../base/failure.ts';
import { findTextProblem, toMessageText } from '../../messaging/contents/text.ts';
import type { StoredMessage } from '../cache/messages.ts';
import { compose } from '../compose.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { namesOf, toMessage } from '../views.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `messages.${string}`>;

export function messageProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, messages, outbox } = context;

  const findOwn = (id: string, state: 'failed' | 'queued'): StoredMessage => {
    const message = messages.get(Number(id));
    if (!message) throw new Failure('message_deleted');
    if (message.state !== state) throw new Failure('message_underway');
    return message;
  };
  const channelOf = (conversationId: number) => conversations.get(conversationId)?.partner.kind ?? 'direct';
  const shown = (conversationId: number, page: StoredMessage[]) => {
    const names = namesOf(context);
    const channel = channelOf(conversationId);
    return page.map((message) => toMessage(context.contents, channel, message, names));
  };
  const changed = (conversationId: number) => {
    context.emit('messages.changed', { conversationId: String(conversationId) });
    context.emit('conversations.changed', { ids: [String(conversationId)] });
  };

  return {
    'messages.list': ({ conversationId, before, after, limit }) => {
      const conversation = Number(conversationId);
      // One more than asked for tells whether there is more.
      if (after !== undefined) {
        const page = messages.after(conversation, Number(after), limit + 1);
        return {
          messages: shown(conversation, page.slice(0, limit)),
          hasOlder: true,
          hasNewer: page.length > limit,
        };
      }
      const page = messages.before(conversation, before === undefined ? null : Number(before), limit + 1);
      return {
        messages: shown(conversation, page.slice(-limit)),
        hasOlder: page.length > limit,
        hasNewer: before !== undefined,
      };
    },

    'messages.send': ({ conversationId, text: typed }) => {
      requireOnline(parts);
      const text = toMessageText(typed);
      const problem = findTextProblem(text);
      if (problem !== null) throw problem;
      const conversation = conversations.get(Number(conversationId));
      if (!conversation) throw new Failure('chat_deleted');
      const message = compose(parts, conversation, { kind: 'text', text });
      return toMessage(context.contents, conversation.partner.kind, message, namesOf(context));
    },

    'messages.retry': ({ id }) => {
      const online = requireOnline(parts);
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        messages.setState(message.id, 'queued', null);
        outbox.add(message.id, message.conversationId, context.identity.relayUrl(), context.now());
      });
      changed(message.conversationId);
      online.queued();
      const queued: StoredMessage = { ...message, state: 'queued', problem: null };
      return toMessage(context.contents, channelOf(message.conversationId), queued, namesOf(context));
    },

    'messages.discard': ({ id }) => {
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        messages.remove(message.id);
        conversations.setLastMessage(message.conversationId, messages.lastId(message.conversationId));
      });
      context.eraseTraces();
      changed(message.conversationId);
      return {};
    },
  };
}
