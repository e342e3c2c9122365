/**
 * Shows notifications of new messages, and removes them when they are read, deleted, or the app is locked.
 * Both hosts share this; they differ in the screen.
 */
import { type EventPayload, engineProcedures } from '../../bridge/contract.ts';
import { failureSentence } from '../../words/failures.ts';
import type { Words } from '../../words/format.ts';
import type { Calls } from '../calls.ts';
import type { Session } from '../session.ts';
import { type MessageNow, Notifier, type NotifierParts } from './notifier.ts';
import type { Screen } from './screen.ts';
import { UnreadChats } from './unread-chats.ts';

/** Failures of a message that no longer exists. */
const DELETED: ReadonlySet<string> = new Set(['message_deleted', 'chat_deleted']);

export interface ArrivalNoticesParts {
  calls: Pick<Calls, 'call' | 'onEvent' | 'onAttend' | 'settings'>;
  session: Pick<Session, 'isOpen'>;
  words: Words;
  screen: Screen;
  isAttended: NotifierParts['isAttended'];
  open: NotifierParts['open'];
  /** Called after unread messages were counted. */
  onUnread?: () => void;
}

export class ArrivalNotices {
  readonly unread: UnreadChats;
  readonly #parts: ArrivalNoticesParts;
  readonly #notifier: Notifier;
  readonly #stop: () => void;

  constructor(parts: ArrivalNoticesParts) {
    const { calls, words, screen, isAttended, open, onUnread } = parts;
    this.#parts = parts;
    this.unread = new UnreadChats(calls, (conversationId) => this.#notifier.forgetRead(conversationId));
    this.#notifier = new Notifier({
      words,
      screen,
      isAttended,
      open,
      settings: calls.settings,
      reply: async (conversationId, text, readUpTo) => {
        const answer = await calls.call('messages.send', { conversationId, text, readUpTo });
        return answer.ok ? null : failureSentence(words, answer.failure);
      },
      markRead: (id, upTo) => void calls.call('conversations.markRead', { id, upTo }),
      messageNow: (conversationId, messageId) => this.#messageNow(conversationId, messageId),
    });
    const stopAttending = calls.onAttend((id) => this.#notifier.forgetReaction(id));
    const stopEvents = calls.onEvent((name, payload) => {
      if (name === 'message.arrived') this.#notifier.add(payload as EventPayload<'message.arrived'>);
      if (name === 'reaction.arrived')
        this.#notifier.addReaction(payload as EventPayload<'reaction.arrived'>);
      if (name === 'messages.changed') {
        const { conversationId } = payload as EventPayload<'messages.changed'>;
        void this.#notifier.lookAgain(conversationId);
      }
      if (name === 'messages.expired') {
        const { conversationId, ids } = payload as EventPayload<'messages.expired'>;
        this.#notifier.forget(conversationId, ids);
      }
      if (name === 'conversations.changed') {
        void this.unread.follow(payload as EventPayload<'conversations.changed'>).then(onUnread);
      }
      if (name === 'devices.changed') {
        void this.#followDevices((payload as EventPayload<'devices.changed'>).isNew);
      }
      if (name === 'lock.changed') this.#followLock();
    });
    this.#stop = () => {
      stopAttending();
      stopEvents();
    };
  }

  /** Removes shown notifications, and stops listening. */
  close(): void {
    this.#stop();
    this.#notifier.clear();
  }

  /** Devices that were added elsewhere notify once. The interface asks about them until the person answers. */
  async #followDevices(isNew: boolean): Promise<void> {
    const answer = await this.#parts.calls.call('devices.added', {});
    const added = answer.ok ? engineProcedures['devices.added'].output.parse(answer.value) : [];
    if (added.length === 0) this.#notifier.forgetDevices();
    else if (isNew) this.#notifier.showDevices(added);
  }

  /** Queries earlier events of the engine when it opens; while it is closed, nothing is shown. */
  #followLock(): void {
    if (!this.#parts.session.isOpen) this.#notifier.clear();
    void this.unread.count().then(this.#parts.onUnread);
  }

  /** Only a deletion removes a notification: after any other failure the message is there. */
  async #messageNow(conversationId: string, messageId: string): Promise<MessageNow> {
    const answer = await this.#parts.calls.call('messages.list', {
      conversationId,
      around: messageId,
      limit: 1,
    });
    if (!answer.ok) return DELETED.has(answer.failure.code) ? 'deleted' : 'unknown';
    const { messages } = engineProcedures['messages.list'].output.parse(answer.value);
    return messages.find(({ id, kind }) => id === messageId && kind !== 'deleted') ?? 'deleted';
  }
}
