/** Messages: pages of a timeline, sending, and actions on a failed one. */
import { Failure } from '../../base/failure.ts';
import { isBlank } from '../../base/invisible.ts';
import { textParts } from '../../base/text-parts.ts';
import type { Output } from '../../bridge/contract.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import type { PlacedMention } from '../../messaging/contents/mentions.ts';
import { mentionsField } from '../../messaging/contents/mentions.ts';
import { findTextProblem, MAX_TEXT_BYTES, toMessageText } from '../../messaging/contents/text.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredMessage } from '../cache/message-rows.ts';
import { removeMessages } from '../erasing.ts';
import { HistoryReader } from '../history/read.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { markRead, messageNumber } from '../read-position.ts';
import { toMessages } from '../views/messages.ts';
import { compose } from '../writing/compose.ts';
import { mentionsToSend } from '../writing/mentions.ts';
import { previewField } from '../writing/preview.ts';
import type { Procedures } from './implementation.ts';
import { refTo } from './message-actions.ts';

type Names = `messages.${'list' | 'from' | 'records' | 'send' | 'retry' | 'discard'}`;

/** @throws Failure empty or too long */
export function textToSend(typed: string): string {
  const text = toMessageText(typed);
  const problem = findTextProblem(text);
  if (problem !== null) throw problem;
  return text;
}

interface Words {
  text: string;
  /** Valid mentions. */
  mentions: readonly PlacedMention[];
}

/** @throws Failure empty */
function partsToSend({ text, mentions }: Words): Words[] {
  if (isBlank(text)) throw new Failure('message_empty');
  return textParts(text, MAX_TEXT_BYTES, mentions).map((part) => {
    const moved = part.lead - part.from;
    return {
      text: part.text,
      mentions: mentions
        .filter(({ from, to }) => part.from <= from && to <= part.to)
        .map(({ from, to, address }) => ({ from: from + moved, to: to + moved, address })),
    };
  });
}

export function messageProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, messages, timelines, outbox } = context;

  const findOwn = (id: string, state: 'failed' | 'queued'): StoredMessage => {
    const message = messages.get(Number(id));
    if (!message) throw new Failure('message_deleted');
    if (message.state !== state) throw new Failure('message_underway');
    return message;
  };
  const conversationOf = (id: number): StoredConversation => {
    const conversation = conversations.get(id);
    if (!conversation) throw new Failure('chat_deleted');
    return conversation;
  };
  const shown = (message: StoredMessage): Message => {
    const [view] = toMessages(context, conversationOf(message.conversationId), [message]);
    if (!view) throw new Error('a message without its view');
    return view;
  };
  const changed = (conversationId: number) => {
    context.emit('messages.changed', { conversationId: String(conversationId) });
    context.emit('conversations.changed', { ids: [String(conversationId)] });
  };

  return {
    'messages.list': ({ conversationId, before, after, around, limit }) => {
      const conversation = conversationOf(Number(conversationId));
      const { id } = conversation;
      const page = (found: StoredMessage[], hasOlder: boolean, hasNewer: boolean) => ({
        messages: toMessages(context, conversation, found),
        hasOlder,
        hasNewer,
      });
      // One more than requested shows whether there is more.
      if (around !== undefined) {
        const half = Math.floor((limit - 1) / 2);
        const rest = limit - 1 - half;
        const found = timelines.around(id, Number(around), half + 1, rest + 1);
        const middle = found.findIndex((message) => message.id === Number(around));
        if (middle === -1) throw new Failure('message_deleted');
        const from = Math.max(0, middle - half);
        const shown = found.slice(from, middle + 1 + rest);
        return page(shown, from > 0, from + shown.length < found.length);
      }
      if (after !== undefined) {
        const found = timelines.after(id, Number(after), limit + 1);
        return page(found.slice(0, limit), true, found.length > limit);
      }
      const found = timelines.before(id, before === undefined ? null : Number(before), limit + 1);
      return page(found.slice(-limit), found.length > limit, before !== undefined);
    },

    'messages.from': ({ conversationId, at }) => {
      const { id } = conversationOf(Number(conversationId));
      const found = timelines.firstFrom(id, at) ?? timelines.lastId(id);
      return { id: found === null ? null : String(found) };
    },

    'messages.records': ({ conversationId, after }) => {
      const { id } = conversationOf(Number(conversationId));
      const reader = new HistoryReader(context);
      const { records, next } = reader.timeline(id, after);
      const kept = records.filter(({ lifetime }) => lifetime === null);
      return {
        records: after === null ? [reader.account(), ...kept] : kept,
        next,
      } as Output<'messages.records'>;
    },

    'messages.send': ({
      conversationId,
      text: typed,
      readUpTo,
      replyTo,
      mentions = [],
      inParts,
      preview,
    }) => {
      requireOnline(parts);
      const lastSeen = readUpTo === undefined ? undefined : messageNumber(readUpTo);
      const conversation = conversationOf(Number(conversationId));
      const answered = replyTo === undefined ? null : refTo(context, conversation, replyTo);
      const text = inParts ? toMessageText(typed) : textToSend(typed);
      const words = { text, mentions: mentionsToSend(context, conversation, { text, mentions }) };
      const texts = inParts ? partsToSend(words) : [words];
      const [first] = context.transaction(() =>
        texts.map((each, index) =>
          compose(parts, conversation, {
            kind: 'text',
            text: each.text,
            ...(answered && index === 0 && { replyTo: answered }),
            ...mentionsField(each.text, each.mentions),
            ...(!inParts && previewField(each.text, preview)),
          }),
        ),
      );
      // An answer shows that the person has read the chat.
      markRead(parts, conversation, lastSeen);
      return shown(first as StoredMessage);
    },

    'messages.retry': ({ id }) => {
      const online = requireOnline(parts);
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        messages.setState(message.id, 'queued', null);
        context.fileTasks.retryUploads(message.id);
        outbox.add(message.id, message.conversationId, context.identity.relayUrl(), context.now());
      });
      changed(message.conversationId);
      online.transfers.wake();
      online.queued();
      return shown({ ...message, state: 'queued', problem: null });
    },

    'messages.discard': ({ id }) => {
      const message = findOwn(id, 'failed');
      context.transaction(() => {
        removeMessages(context, [message]);
      });
      context.eraseTraces();
      changed(message.conversationId);
      return {};
    },
  };
}
