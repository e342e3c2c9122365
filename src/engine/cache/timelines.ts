/**
 * The order of messages in their conversations: pages, places and read positions. Queries and changes of
 * single messages are in ./messages.ts.
 */
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';
import { fromRow, type MessageRow, type Place, type StoredMessage } from './message-rows.ts';

/** Number of own messages of a chat in which the token of an invite link is searched: the first ones have it. */
const FIRST_MESSAGES = 10;

/** A message of a timeline by its place in it. */
export interface Spot extends Place {
  id: number;
}

/** Neighbours of a time in a timeline. */
export interface Surroundings {
  /** The last message of the sender that was signed no later. */
  before: Spot | null;
  /** The first message of the sender that was signed later. */
  after: Spot | null;
  /** Place of the last message, of any sender, that had arrived by then by the own clock. */
  come: number | null;
}

/**
 * Place of a message, or its former place if it was deleted. Part of a statement, so that one statement reads
 * a page; each is looked up once.
 */
const AT = `
  coalesce((SELECT place FROM messages WHERE id = @id), @id),
  coalesce((SELECT late FROM messages WHERE id = @id), 0), @id`;
const BEFORE = `
  SELECT * FROM messages WHERE conversation_id = @conversationId AND (place, late, id) < (${AT})
   ORDER BY place DESC, late DESC, id DESC`;
const AFTER = `
  SELECT * FROM messages WHERE conversation_id = @conversationId AND (place, late, id) > (${AT})
   ORDER BY place, late, id`;

export class Timelines {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Up to `limit` messages before another (or the newest, if it is null), in timeline order. */
  before(conversationId: number, id: number | null, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[{ conversationId: number; id: number; limit: number }], MessageRow>(`${BEFORE} LIMIT @limit`)
      .all({ conversationId, id: id ?? Number.MAX_SAFE_INTEGER, limit })
      .map(fromRow)
      .reverse();
  }

  /** Up to `limit` messages after another, in timeline order. */
  after(conversationId: number, id: number, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[{ conversationId: number; id: number; limit: number }], MessageRow>(`${AFTER} LIMIT @limit`)
      .all({ conversationId, id, limit })
      .map(fromRow);
  }

  /** A message with its neighbours, in timeline order. Empty if the message does not exist. */
  around(conversationId: number, id: number, before: number, after: number): StoredMessage[] {
    const found = this.#db
      .prepare<[{ conversationId: number; id: number; before: number; after: number }], MessageRow>(
        `SELECT * FROM (
           SELECT * FROM (${BEFORE} LIMIT @before)
           UNION ALL SELECT * FROM messages WHERE id = @id AND conversation_id = @conversationId
           UNION ALL SELECT * FROM (${AFTER} LIMIT @after))
         ORDER BY place, late, id`,
      )
      .all({ conversationId, id, before, after })
      .map(fromRow);
    return found.some((message) => message.id === id) ? found : [];
  }

  /** Ids of messages of one conversation, the last of its timeline first. */
  newestFirst(ids: readonly number[]): number[] {
    return this.#db
      .prepare<[string], { id: number }>(
        `SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))
          ORDER BY place DESC, late DESC, id DESC`,
      )
      .all(JSON.stringify(ids))
      .map(({ id }) => id);
  }

  /**
   * Neighbours of a time in a timeline. Each is found by an index, so the cost does not grow with the
   * timeline.
   * @param at by the clock of `sender`, in milliseconds since 1970
   */
  surroundings(conversationId: number, sender: string, at: number): Surroundings {
    const signed = "conversation_id = ? AND sender = ? AND event IS NULL AND trust IN ('self', 'verified')";
    const find = (where: string, order: string) =>
      this.#db
        .prepare<[number, string, number], Spot>(
          `SELECT place, late, id FROM messages INDEXED BY messages_by_author
            WHERE ${signed} AND signed_at ${where} ? ORDER BY ${order} LIMIT 1`,
        )
        .get(conversationId, sender, at) ?? null;
    const come = this.#db
      .prepare<[number, number], { place: number }>(
        `SELECT place FROM messages INDEXED BY messages_by_arrival
          WHERE conversation_id = ? AND event IS NULL AND late = 0 AND stored_at <= ?
          ORDER BY stored_at DESC, place DESC LIMIT 1`,
      )
      .get(conversationId, at);
    return {
      before: find('<=', 'signed_at DESC, place DESC'),
      after: find('>', 'signed_at, place'),
      come: come?.place ?? null,
    };
  }

  /**
   * The first message that arrived at a time or later, in order of arrival. Late messages are left out: their place is
   * before their arrival. Found by an index, so the cost does not grow with the timeline.
   * @param at by the own clock, in milliseconds since 1970
   */
  firstFrom(conversationId: number, at: number): number | null {
    return (
      this.#db
        .prepare<[number, number], { id: number }>(
          `SELECT id FROM messages INDEXED BY messages_by_arrival
            WHERE conversation_id = ? AND event IS NULL AND late = 0 AND stored_at >= ?
            ORDER BY stored_at, place LIMIT 1`,
        )
        .get(conversationId, at)?.id ?? null
    );
  }

  /** The last message of a timeline. */
  lastId(conversationId: number): number | null {
    return (
      this.#db
        .prepare<[number], { id: number }>(
          `SELECT id FROM messages WHERE conversation_id = ? AND event IS NULL
            ORDER BY place DESC, late DESC, id DESC LIMIT 1`,
        )
        .get(conversationId)?.id ?? null
    );
  }

  /** The first message of others that arrived after one, by timeline order. */
  firstReceivedAfter(conversationId: number, id: number): number | null {
    return (
      this.#db
        .prepare<[{ conversationId: number; id: number }], { id: number }>(
          `SELECT id, place, late FROM (
             SELECT id, place, late FROM messages INDEXED BY messages_received
              WHERE conversation_id = @conversationId AND late = 0 AND id > @id AND state = 'received' ORDER BY id LIMIT 1)
           UNION ALL
           SELECT id, place, late FROM messages INDEXED BY messages_late
            WHERE conversation_id = @conversationId AND late > 0 AND id > @id AND state = 'received'
           ORDER BY place, late, id LIMIT 1`,
        )
        .get({ conversationId, id })?.id ?? null
    );
  }

  /** The lowest number of a device among messages that arrived after one; null for none. */
  firstUnreadSeq(conversationId: number, id: number, deviceId: string): number | null {
    return (
      this.#db
        .prepare<[number, number, string], { seq: number | null }>(
          `SELECT min(received_seq) AS seq FROM messages
            WHERE conversation_id = ? AND id > ? AND device_id = ? AND state = 'received'`,
        )
        .get(conversationId, id, deviceId)?.seq ?? null
    );
  }

  /** Devices that signed messages of others in a range. */
  devicesBetween(
    conversationId: number,
    after: number,
    upTo: number,
  ): { address: string; deviceId: string }[] {
    return this.#db
      .prepare<[number, number, number], { address: string; deviceId: string }>(
        `SELECT DISTINCT sender AS address, device_id AS deviceId FROM messages
          WHERE conversation_id = ? AND id > ? AND id <= ? AND state = 'received' AND device_id IS NOT NULL`,
      )
      .all(conversationId, after, upTo);
  }

  /**
   * Authors of the last messages, last first.
   * @param most number of messages to read
   */
  lastSenders(conversationId: number, most: number): string[] {
    const rows = this.#db
      .prepare<[number, number], { sender: string }>(
        `SELECT sender FROM messages WHERE conversation_id = ? AND event IS NULL ORDER BY id DESC LIMIT ?`,
      )
      .all(conversationId, most);
    return [...new Set(rows.map(({ sender }) => sender))];
  }

  countReceivedAfter(conversationId: number, id: number): number {
    return (
      this.#db
        .prepare<[number, number], { count: number }>(
          `SELECT count(*) AS count FROM messages WHERE conversation_id = ? AND id > ? AND state = 'received'`,
        )
        .get(conversationId, id)?.count ?? 0
    );
  }

  /** Number of later messages that mention the person, and the first of them. */
  mentionsAfter(conversationId: number, id: number): { count: number; first: number | null } {
    return (
      this.#db
        .prepare<[number, number], { count: number; first: number | null }>(
          `SELECT count(*) AS count, min(id) AS first FROM messages INDEXED BY messages_mentioning
            WHERE conversation_id = ? AND id > ? AND mentions_me = 1`,
        )
        .get(conversationId, id) ?? { count: 0, first: null }
    );
  }

  /**
   * The last message up to which everything is read, after the timeline was read up to one.
   * @param upTo id of that one
   * @param lastRead id of the last message read before
   */
  readUpTo(conversationId: number, upTo: number, lastRead: number): number {
    const row = this.#db
      .prepare<
        [Place & { conversationId: number; id: number; lastRead: number }],
        { next: number | null; late: number | null; last: number | null }
      >(
        `SELECT
           (SELECT id FROM messages INDEXED BY messages_received
             WHERE conversation_id = @conversationId AND late = 0 AND id > max(@place, @lastRead) AND state = 'received'
             ORDER BY id LIMIT 1) AS next,
           (SELECT min(id) FROM messages INDEXED BY messages_late
             WHERE conversation_id = @conversationId AND late > 0 AND id > @lastRead AND state = 'received'
               AND (place, late, id) > (@place, @late, @id)) AS late,
           (SELECT max(id) FROM messages WHERE conversation_id = @conversationId) AS last`,
      )
      .get({ conversationId, ...this.#cursor(upTo), lastRead });
    const unread = [row?.next, row?.late].flatMap((id) => id ?? []);
    return Math.max(lastRead, unread.length > 0 ? Math.min(...unread) - 1 : (row?.last ?? 0));
  }

  /**
   * Reports whether a conversation has a message of someone else.
   * @param only 'signed': ignores unsigned messages, which the relay may have forged
   */
  hasReceived(conversationId: number, only: 'signed' | 'any'): boolean {
    const signed = only === 'signed' ? "AND trust = 'verified'" : '';
    return (
      this.#db
        .prepare<[number], { id: number }>(
          `SELECT id FROM messages INDEXED BY messages_received
            WHERE conversation_id = ? AND state = 'received' ${signed} ORDER BY id DESC LIMIT 1`,
        )
        .get(conversationId) !== undefined
    );
  }

  /** Reports whether the first messages to a person had the token of an invite link. */
  hasSentInviteToken(conversationId: number): boolean {
    return (
      this.#db
        .prepare<[number, number], { id: number }>(
          `SELECT id FROM (SELECT id, body FROM messages WHERE conversation_id = ? AND trust = 'self' ORDER BY id LIMIT ?)
            WHERE body ->> 'token' IS NOT NULL LIMIT 1`,
        )
        .get(conversationId, FIRST_MESSAGES) !== undefined
    );
  }

  /** The last message up to one, by the name that other devices use. A message of others is preferred. */
  lastNamedUpTo(conversationId: number, id: number): { sender: string; id: string } | null {
    const last = (from: string, which: string) =>
      this.#db
        .prepare<[number, number], { sender: string; uid: Uint8Array }>(
          `SELECT sender, uid FROM ${from} WHERE conversation_id = ? AND id <= ? AND event IS NULL AND ${which}
            ORDER BY id DESC LIMIT 1`,
        )
        .get(conversationId, id);
    const row =
      last('messages INDEXED BY messages_received', "state = 'received'") ??
      last('messages', "state <> 'received'");
    return row ? { sender: row.sender, id: encodeBase64Url(new Uint8Array(row.uid)) } : null;
  }

  /** Place of a message, or its former place if it was deleted. */
  #cursor(id: number): Place & { id: number } {
    const at = this.#db.prepare<[number], Place>('SELECT place, late FROM messages WHERE id = ?').get(id);
    return { place: at?.place ?? id, late: at?.late ?? 0, id };
  }
}
