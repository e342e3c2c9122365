/**
 * What is unread, as the engine says it: asked once, and then only of the conversations that change.
 */
import type { EventPayload } from '../../bridge/contract.ts';
import { Conversation } from '../../bridge/shapes.ts';
import type { Calls } from '../calls.ts';

/** What is unread of a conversation. */
export interface Unread {
  count: number;
  /** How many of those mention the person. */
  mentions: number;
  isMuted: boolean;
}

export class UnreadChats {
  readonly #calls: Pick<Calls, 'call'>;
  readonly #onRead: (conversationId: string) => void;
  #chats: Map<string, Unread> | null = null;

  /** @param onRead nothing is unread in a conversation. Told with the answer, so before anything that happens after it */
  constructor(calls: Pick<Calls, 'call'>, onRead: (conversationId: string) => void) {
    this.#calls = calls;
    this.#onRead = onRead;
  }

  /** Each conversation that has something unread; null until all were asked for, and while the data is locked. */
  get chats(): ReadonlyMap<string, Unread> | null {
    return this.#chats;
  }

  /** Asks for all. */
  async count(): Promise<void> {
    const answer = await this.#calls.call('conversations.list', {});
    const conversations = answer.ok ? Conversation.array().parse(answer.value) : [];
    this.#chats = answer.ok ? new Map() : null;
    for (const conversation of conversations) this.#note(conversation);
  }

  /** Asks for those that have changed. */
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
