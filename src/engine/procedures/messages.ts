/**
 * Messages: pages of a timeline, sending, and what to do with one that failed.
 */
import { encodeUtf8 } from '../../protocol/encoding.ts';
import { MAX_PAYLOAD_BYTES } from '../../protocol/padding.ts';
import type { StoredMessage } from '../cache/messages.ts';
import { compose } from '../compose.ts';
import { EngineFailure } from '../failure.ts';
import { type EngineParts, type Procedures, requireOnline } from './implementation.ts';
import { namesOf, toMessage } from './views.ts';

type Names = Extract<keyof Procedures, `messages.${string}`>;

/** Room in a payload for everything of it that is not the text: label, signature, the other fields of the body. */
const PAYLOAD_OVERHEAD = 1024;

export function messageProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, messages, outbox } = context;

  const findOwn = (id: string, state: 'failed' | 'queued'): StoredMessage => {
    const message = messages.get(Number(id));
    if (!message) throw new EngineFailure('not_found', 'This message was deleted.');
    if (message.state !== state)
      throw new EngineFailure('invalid_input', 'This message is already on its way.');
    return message;
  };
  const shown = (page: StoredMessage[]) => {
    const names = namesOf(context);
    return page.map((message) => toMessage(message, names));
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
          messages: shown(page.slice(0, limit)),
          hasOlder: true,
          hasNewer: page.length > limit,
        };
      }
      const page = messages.before(
        conversation,
        before === undefined ? Number.MAX_SAFE_INTEGER : Number(before),
        limit + 1,
      );
      return {
        messages: shown(page.slice(-limit)),
        hasOlder: page.length > limit,
        hasNewer: before !== undefined,
      };
    },

    'messages.send': ({ conversationId, text }) => {
      requireOnline(parts);
      if (text.trim() === '') throw new EngineFailure('invalid_input', 'There is nothing to send yet.');
      if (encodeUtf8(JSON.stringify(text)).length > MAX_PAYLOAD_BYTES - PAYLOAD_OVERHEAD) {
        throw new EngineFailure('invalid_input', 'This message is too long. Send it in several parts.');
      }
      const conversation = conversations.get(Number(conversationId));
      if (!conversation) throw new EngineFailure('not_found', 'This conversation was deleted.');
      return toMessage(compose(parts, conversation, { kind: 'text', text }), namesOf(context));
    },

    'messages.retry': ({ id }) => {
      const online = requireOnline(parts);
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        messages.setState(message.id, 'queued', null);
        outbox.add(message.id, message.conversationId, context.now());
      });
      changed(message.conversationId);
      online.queued();
      return toMessage({ ...message, state: 'queued', problem: null }, namesOf(context));
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
