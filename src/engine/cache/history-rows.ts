/** Rows of the cache as a history reads them, in pages, and the numbers that its messages get in another cache. */

import type { ContactRow } from './contacts.ts';
import type { Cache } from './database.ts';
import type { MessageRow, Place } from './message-rows.ts';

export interface HistoryMessageRow extends MessageRow, Place {
  mentions_me: number;
}

export interface HistoryContactRow extends ContactRow {
  timer: string | null;
  had_chat: number;
}

export interface HistoryConversationRow {
  id: number;
  name: string;
  state: 'accepted' | 'request' | 'blocked';
  before_block: 'accepted' | 'request' | null;
  draft: string;
  draft_mentions: string;
  updated_at: number;
  last_read_id: number;
}

export interface HistorySettingRow {
  key: string;
  value: string;
  sent_at: string;
  uid: Uint8Array;
  device_id: string | null;
  set_by: string | null;
}

export interface HistoryFileRow {
  id: number;
  file_key: Uint8Array;
  digest: Uint8Array;
  size: number;
  /** Bytes on the disk. */
  blob_length: number;
}

/** The file is here and complete, and no part of a history on its way. */
const IS_COMPLETE = `is_here = 1 AND is_prepared = 0 AND digest IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM history_parts WHERE file_id = files.id)`;

export class HistoryRows {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** The lowest and the greatest number of a message; 0 without one. */
  ends(): { first: number; last: number } {
    const row = this.#db
      .prepare<[], { first: number | null; last: number | null }>(
        'SELECT (SELECT min(id) FROM messages) AS first, (SELECT max(id) FROM messages) AS last',
      )
      .get();
    return { first: row?.first ?? 0, last: row?.last ?? 0 };
  }

  /** Messages from a number on and before another one, ascending. Lines about missing messages are left out. */
  messages(from: number, to: number, limit: number): HistoryMessageRow[] {
    return this.#db
      .prepare<[number, number, number], HistoryMessageRow>(
        `SELECT * FROM messages WHERE id >= ? AND id < ? AND coalesce(event ->> 'type', '') <> 'missing' ORDER BY id LIMIT ?`,
      )
      .all(from, to, limit);
  }

  /** Messages of a conversation after a place, in the order of its timeline. */
  timeline(conversationId: number, after: Place & { id: number }, limit: number): HistoryMessageRow[] {
    return this.#db
      .prepare<[Place & { conversationId: number; id: number; limit: number }], HistoryMessageRow>(
        `SELECT * FROM messages WHERE conversation_id = @conversationId AND (place, late, id) > (@place, @late, @id)
            AND coalesce(event ->> 'type', '') <> 'missing' ORDER BY place, late, id LIMIT @limit`,
      )
      .all({ conversationId, ...after, limit });
  }

  /** The first number of a message from one on; null for none. */
  nextId(from: number): number | null {
    return (
      this.#db
        .prepare<[number], { id: number | null }>('SELECT min(id) AS id FROM messages WHERE id >= ?')
        .get(from)?.id ?? null
    );
  }

  /** The greatest number of a message below one; null for none. */
  idBelow(before: number): number | null {
    return (
      this.#db
        .prepare<[number], { id: number | null }>('SELECT max(id) AS id FROM messages WHERE id < ?')
        .get(before)?.id ?? null
    );
  }

  isUsed(id: number): boolean {
    return this.#db.prepare('SELECT 1 FROM messages WHERE id = ?').get(id) !== undefined;
  }

  /** Address of the partner of a conversation, or the id of its group; null for none. */
  nameOf(conversationId: number): string | null {
    return (
      this.#db
        .prepare<[number], { name: string }>(
          `SELECT coalesce(p.address, g.group_id) AS name FROM conversations c
             LEFT JOIN contacts p ON p.id = c.contact_id LEFT JOIN groups g ON g.id = c.group_id WHERE c.id = ?`,
        )
        .get(conversationId)?.name ?? null
    );
  }

  contacts(after: number, limit: number): HistoryContactRow[] {
    return this.#db
      .prepare<[number, number], HistoryContactRow>('SELECT * FROM contacts WHERE id > ? ORDER BY id LIMIT ?')
      .all(after, limit);
  }

  groupIds(): number[] {
    return this.#db
      .prepare<[], { id: number }>('SELECT id FROM groups ORDER BY id')
      .all()
      .map(({ id }) => id);
  }

  conversations(after: number, limit: number): HistoryConversationRow[] {
    return this.#db
      .prepare<[number, number], HistoryConversationRow>(
        `SELECT c.id, coalesce(p.address, g.group_id) AS name, c.state, c.before_block, c.draft, c.draft_mentions,
             c.updated_at, c.last_read_id
           FROM conversations c LEFT JOIN contacts p ON p.id = c.contact_id LEFT JOIN groups g ON g.id = c.group_id
          WHERE c.id > ? ORDER BY c.id LIMIT ?`,
      )
      .all(after, limit);
  }

  settings(after: string, limit: number): HistorySettingRow[] {
    return this.#db
      .prepare<[string, number], HistorySettingRow>(
        'SELECT * FROM own_registers WHERE key > ? ORDER BY key LIMIT ?',
      )
      .all(after, limit);
  }

  /** Complete files of messages and faces. */
  files(after: number, limit: number): HistoryFileRow[] {
    return this.#db
      .prepare<[number, number], HistoryFileRow>(
        `SELECT * FROM files WHERE id > ? AND ${IS_COMPLETE} ORDER BY id LIMIT ?`,
      )
      .all(after, limit);
  }

  /** The same below a number, descending. */
  filesBelow(before: number, limit: number): HistoryFileRow[] {
    return this.#db
      .prepare<[number, number], HistoryFileRow>(
        `SELECT * FROM files WHERE id < ? AND ${IS_COMPLETE} ORDER BY id DESC LIMIT ?`,
      )
      .all(before, limit);
  }

  /** Bytes of these files on the disk. */
  fileBytesBelow(before: number): number {
    return (
      this.#db
        .prepare<[number], { bytes: number | null }>(
          `SELECT sum(blob_length) AS bytes FROM files WHERE id < ? AND ${IS_COMPLETE}`,
        )
        .get(before)?.bytes ?? 0
    );
  }

  /** The number of a file; null if no message or face here has it. */
  fileOf(key: Uint8Array, digest: Uint8Array, size: number): number | null {
    return (
      this.#db
        .prepare<[Uint8Array, Uint8Array, number], { id: number }>(
          'SELECT id FROM files WHERE file_key = ? AND digest = ? AND size = ?',
        )
        .get(key, digest, size)?.id ?? null
    );
  }

  /** Reports whether a handle is that of a known person. */
  isHandleKnown(handle: string): boolean {
    return this.#db.prepare('SELECT 1 FROM contacts WHERE handle = ?').get(handle) !== undefined;
  }

  /** Records that the source of a history had a chat with an address, which was deleted there. */
  setHadChat(address: string): void {
    this.#db.prepare('UPDATE contacts SET had_chat = 2 WHERE address = ? AND had_chat = 0').run(address);
  }

  /** Reports whether the person has deleted an accepted chat with an address here. */
  wasChatDeleted(address: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM contacts WHERE address = ? AND had_chat = 1').get(address) !== undefined
    );
  }

  /** Removes requests without messages: those of the messages were deleted here. @returns whether there were any */
  removeEmptyRequests(): boolean {
    const { changes } = this.#db
      .prepare(
        `DELETE FROM conversations WHERE state = 'request'
            AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = conversations.id)`,
      )
      .run();
    return changes > 0;
  }

  /** Time of arrival of the first message of a conversation from a number on; null for none. */
  firstStoredAt(conversationId: number, from: number): number | null {
    return (
      this.#db
        .prepare<[number, number], { at: number }>(
          `SELECT stored_at AS at FROM messages
            WHERE conversation_id = ? AND id >= ? AND event IS NULL ORDER BY id LIMIT 1`,
        )
        .get(conversationId, from)?.at ?? null
    );
  }

  /** Place of the last message of a conversation that had arrived by a time; null for none. */
  placeBefore(conversationId: number, at: number): number | null {
    return (
      this.#db
        .prepare<[number, number], { place: number }>(
          `SELECT place FROM messages INDEXED BY messages_by_arrival
            WHERE conversation_id = ? AND event IS NULL AND late = 0 AND stored_at <= ?
            ORDER BY stored_at DESC, place DESC LIMIT 1`,
        )
        .get(conversationId, at)?.place ?? null
    );
  }

  /** Reports whether a timeline has this event. */
  hasEvent(conversationId: number, sender: string, uid: Uint8Array): boolean {
    return (
      this.#db
        .prepare(
          'SELECT 1 FROM messages WHERE sender = ? AND uid = ? AND conversation_id = ? AND event IS NOT NULL',
        )
        .get(sender, uid, conversationId) !== undefined
    );
  }

  /** Adds an event of a history. */
  addEvent(row: {
    id: number;
    conversationId: number;
    place: number;
    late: number;
    sender: string;
    uid: Uint8Array;
    at: number;
    event: string;
  }): void {
    this.#db
      .prepare(
        `INSERT INTO messages (id, conversation_id, place, late, sender, uid, body, sent_at, stored_at, state, trust, event)
         VALUES (@id, @conversationId, @place, @late, @sender, @uid, '{}', @at, @at, 'sent', 'self', @event)`,
      )
      .run(row);
  }

  /** Stores the author of a deletion of a message of a history. */
  setDeleted(id: number, by: string): void {
    this.#db.prepare('UPDATE messages SET deleted_by = ? WHERE id = ?').run(by, id);
  }

  /** Sets a read position if none is set here. @returns whether it was set */
  startReadUpTo(conversationId: number, upTo: number): boolean {
    const { changes } = this.#db
      .prepare('UPDATE conversations SET last_read_id = ? WHERE id = ? AND last_read_id = 0')
      .run(upTo, conversationId);
    return changes > 0;
  }

  /** Sets the time that orders the list of conversations. */
  setUpdatedAt(conversationId: number, at: number): void {
    this.#db.prepare('UPDATE conversations SET updated_at = ? WHERE id = ?').run(at, conversationId);
  }
}
