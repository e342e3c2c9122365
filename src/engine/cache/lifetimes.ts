/**
 * Lifetimes of disappearing messages: their start and their end (src/messaging/contents/disappearing.ts).
 * Times are milliseconds since 1970, by the own clock.
 */
import { LONGEST_UNSEEN } from '../../messaging/contents/disappearing.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';

/** A message whose lifetime is over. */
export interface EndedMessage {
  id: number;
  conversationId: number;
  sender: string;
  /** 16 bytes in base64url. */
  uid: string;
}

export class Lifetimes {
  readonly #db: Cache;
  #onEnd: (at: number) => void = () => undefined;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** @param listener called with each new time at which a message ends */
  onEnd(listener: (at: number) => void): void {
    this.#onEnd = listener;
  }

  /** Reports a time at which a message ends. */
  reportEnd(at: number): void {
    this.#onEnd(at);
  }

  /**
   * Starts the lifetime of an own message after it was sent.
   * @param at its `sentAt`
   */
  begin(id: number, at: number, now: number): void {
    this.#report(
      this.#db
        .prepare<[{ id: number; at: number }], { end: number }>(
          `UPDATE messages SET began_at = @at, ends_at = min(ends_at, @at + expires * 1000)
            WHERE id = @id AND began_at IS NULL AND expires IS NOT NULL RETURNING ends_at AS end`,
        )
        .all({ id, at: Math.min(at, now) }),
    );
  }

  /**
   * Starts the lifetime of the shown messages of others, up to one.
   * @param at display time; never earlier than the time of arrival
   */
  shown(conversationId: number, upTo: number, at: number, now: number): void {
    this.#report(
      this.#db
        .prepare<[{ conversationId: number; upTo: number; at: number; now: number }], { end: number }>(
          `UPDATE messages SET began_at = min(@now, max(@at, received_at)),
             ends_at = min(ends_at, min(@now, max(@at, received_at)) + expires * 1000)
            WHERE conversation_id = @conversationId AND id <= @upTo AND began_at IS NULL AND expires IS NOT NULL
              AND state = 'received' RETURNING ends_at AS end`,
        )
        .all({ conversationId, upTo, at, now }),
    );
  }

  #report(ended: readonly { end: number }[]): void {
    if (ended.length > 0) this.#onEnd(ended.reduce((first, { end }) => Math.min(first, end), Infinity));
  }

  /** Earliest end of a lifetime; null for none. */
  next(): number | null {
    return (
      this.#db
        .prepare<[], { next: number | null }>(
          'SELECT min(ends_at) AS next FROM messages WHERE ends_at IS NOT NULL',
        )
        .get()?.next ?? null
    );
  }

  /** Messages whose lifetime is over, at most `limit`. */
  ended(now: number, limit: number): EndedMessage[] {
    return this.#db
      .prepare<[number, number], Omit<EndedMessage, 'uid'> & { uid: Uint8Array }>(
        `SELECT id, conversation_id AS conversationId, sender, uid FROM messages WHERE ends_at <= ?
          ORDER BY ends_at LIMIT ?`,
      )
      .all(now, limit)
      .map((row) => ({ ...row, uid: encodeBase64Url(new Uint8Array(row.uid)) }));
  }

  /**
   * Limits lifetimes after the clock was set back: no message stays longer than if its lifetime, or its wait,
   * started now.
   */
  bound(now: number): void {
    this.#db
      .prepare(
        `UPDATE messages SET began_at = min(began_at, @now),
           ends_at = @now + expires * 1000 + CASE WHEN began_at IS NULL THEN ${LONGEST_UNSEEN} ELSE 0 END
          WHERE ends_at > @now + expires * 1000 + CASE WHEN began_at IS NULL THEN ${LONGEST_UNSEEN} ELSE 0 END`,
      )
      .run({ now });
  }
}
