/** Links of messages, by their conversation. The links of a message are removed with it. */
import { linksIn } from '../../base/markdown/links.ts';
import type { Cache } from './database.ts';

export interface StoredLink {
  messageId: number;
  place: number;
  href: string;
}

/** A link by its place. */
export type LinkPlace = Pick<StoredLink, 'messageId' | 'place'>;

export class Links {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Replaces the links of a message by those in its text, in the caller's transaction. */
  set(messageId: number, conversationId: number, text: string): void {
    this.remove(messageId);
    this.add(messageId, conversationId, text);
  }

  /** Adds the links of a message without any, in the caller's transaction. */
  add(messageId: number, conversationId: number, text: string): void {
    // Most messages have none.
    if (!/https:|mailto:/i.test(text)) return;
    const add = this.#db.prepare(
      'INSERT INTO message_links (message_id, place, conversation_id, href) VALUES (?, ?, ?, ?)',
    );
    for (const [place, href] of linksIn(text).entries()) add.run(messageId, place, conversationId, href);
  }

  /** Removes the links of an erased message. */
  remove(messageId: number): void {
    this.#db.prepare('DELETE FROM message_links WHERE message_id = ?').run(messageId);
  }

  /** Links of a conversation before another, newest first. */
  list(conversationId: number, before: LinkPlace, limit: number): StoredLink[] {
    return this.#db
      .prepare<[number, number, number, number], StoredLink>(
        `SELECT message_id AS messageId, place, href FROM message_links
          WHERE conversation_id = ? AND (message_id, place) < (?, ?)
          ORDER BY message_id DESC, place DESC LIMIT ?`,
      )
      .all(conversationId, before.messageId, before.place, limit);
  }
}
