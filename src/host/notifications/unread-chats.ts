/** Unread counts from the engine: all once, then only the changed conversations. */
import type { EventPayload } from '../../bridge/contract.ts';
import { Conversation } from '../../bridge/shapes/conversation.ts';
import type { Calls } from '../calls.ts';

/** Unread counts of a conversation. */
export interface Unread {
  count: number;
  /** Number of unread mentions of the person. */
  mentions: number;
  isMuted: boolean;
}

export class UnreadChats {
  readonly #calls: Pick<Calls, 'call'>;
  readonly #onRead: (conversationId: string) => void;
  #chats: Map<string, Unread> | null = null;

  /** @param onRead called when a conversation has no unread messages, before any later event */
  constructor(calls: Pick<Calls, 'call'>, onRead: (conversationId: string) => void) {
    this.#calls = calls;
    this.#onRead = onRead;
  }

  /** Conversations with unread messages; null before the first count, and while locked. */
  get chats(): ReadonlyMap<string, Unread> | null {
    return this.#chats;
  }

  /** Queries all. */
  async count(): Promise<void> {
    const answer = await this.#calls.call('conversations.list', {});
    const conversations = answer.ok ? Conversation.array().parse(answer.value) : [];
    this.#chats = answer.ok ? new Map() : null;
    for (const conversation of conversations) this.#note(conversation);
  }

  /** Queries the changed ones. */
  async follow({ ids }: EventPayload<'conversations.changed'>): Promise<void> {
    if (!this.#chats) return this.count();
    await Promise.all(
      ids.map(async (id) => {
        const answer = await this.#calls.call('conversations.get', { id });
        if (answer.ok) this.#note(Conversation.parse(answer.value));
        else this.#noteRead(id);
      }),
    );
  }

  #note({ id, mutedUntil, state, unread, unreadMentions: mentions }: Conversation): void {
    if (unread === 0 || state === 'blocked') this.#noteRead(id);
    else this.#chats?.set(id, { count: unread, mentions, isMuted: mutedUntil !== null });
  }

  #noteRead(id: string): void {
    this.#chats?.delete(id);
    this.#onRead(id);
  }
}
