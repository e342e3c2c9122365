/**
 * Counters of an identity's conversations: messages sent, the last number, and the latest time. A conversation is the
 * address of a recipient, or the id of a group.
 */
import { z } from 'zod';
import type { Table } from './table.ts';

/** The most conversations with counters. The least recently written one is forgotten, and counted from 1 again. */
const MAX_CONVERSATIONS = 50_000;

const ConversationEntry = z.union([
  z.strictObject({ conversation: z.string(), sent: z.number().int() }),
  z.strictObject({ conversation: z.string(), seq: z.number().int() }),
  // The latest time named by a body for the conversation.
  z.strictObject({ conversation: z.string(), sentAt: z.number() }),
]);
export type ConversationEntry = z.infer<typeof ConversationEntry>;

export class Conversations implements Table<ConversationEntry> {
  readonly schema = ConversationEntry;
  /** The most recent one comes last, in each map. */
  readonly #sent = new Map<string, number>();
  readonly #seq = new Map<string, number>();
  readonly #sentAt = new Map<string, number>();

  /** The number of messages sent. */
  sent(conversation: string): number {
    return this.#sent.get(conversation) ?? 0;
  }

  /** The number of the last numbered message; 0 for none. */
  seq(conversation: string): number {
    return this.#seq.get(conversation) ?? 0;
  }

  /** The latest time of a message, in milliseconds since 1970; null for none. */
  sentAt(conversation: string): number | null {
    return this.#sentAt.get(conversation) ?? null;
  }

  /** All conversations with sent messages, most recent first. */
  recent(): string[] {
    return [...this.#sent.keys()].reverse();
  }

  /** Forgets the conversations above the limit. */
  trim(): void {
    for (const counts of [this.#sent, this.#seq, this.#sentAt])
      for (const conversation of [...counts.keys()].slice(0, -MAX_CONVERSATIONS)) counts.delete(conversation);
  }

  apply(entry: ConversationEntry): void {
    const { conversation } = entry;
    if ('sent' in entry) setLast(this.#sent, conversation, entry.sent);
    else if ('seq' in entry) setLast(this.#seq, conversation, entry.seq);
    else setLast(this.#sentAt, conversation, entry.sentAt);
  }

  entries(): ConversationEntry[] {
    return [
      ...Array.from(this.#sent, ([conversation, sent]) => ({ conversation, sent })),
      ...Array.from(this.#seq, ([conversation, seq]) => ({ conversation, seq })),
      ...Array.from(this.#sentAt, ([conversation, sentAt]) => ({ conversation, sentAt })),
    ];
  }
}

/** Moves an entry to the end of a map ordered by last use. */
function setLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}
