/**
 * Read positions of own devices: the last ones, those still to be sent to other devices, and those that wait
 * for their message.
 */
import type { MessageId } from '../../messaging/contents/fields.ts';
import { decodeBase64Url, encodeBase64Url } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';
import { isLater, type OwnVersion } from './own-registers.ts';

/** Waiting read positions per conversation; the oldest are dropped. */
const MAX_WAITING = 8;

/** An `own.read` to send. */
export interface DueRead extends OwnVersion {
  /** An address, or the id of a group. */
  conversation: string;
  upTo: { sender: string; id: string };
}

export class OwnReads {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Version of the newest `own.read` of a conversation; null for none. */
  version(conversation: string): OwnVersion | null {
    const row = this.#db
      .prepare<[string], { sent_at: string; uid: Uint8Array }>(
        'SELECT sent_at, uid FROM own_reads WHERE conversation = ?',
      )
      .get(conversation);
    return row ? { sentAt: row.sent_at, id: encodeBase64Url(new Uint8Array(row.uid)) } : null;
  }

  /** Stores an `own.read` from this device or another. */
  note(conversation: string, version: OwnVersion): void {
    if (!isLater(version, this.version(conversation))) return;
    this.#db
      .prepare(
        `INSERT INTO own_reads (conversation, sent_at, uid) VALUES (@conversation, @sentAt, @uid)
         ON CONFLICT (conversation) DO UPDATE SET sent_at = @sentAt, uid = @uid`,
      )
      .run({ conversation, sentAt: version.sentAt, uid: decodeBase64Url(version.id) });
  }

  /** Schedules the read position of this device for its other devices. Replaces a scheduled one. */
  setDue({ conversation, ...due }: DueRead): void {
    this.note(conversation, due);
    this.#db
      .prepare('UPDATE own_reads SET due = ? WHERE conversation = ?')
      .run(JSON.stringify(due), conversation);
  }

  due(): DueRead[] {
    return this.#db
      .prepare<[], { conversation: string; due: string }>(
        'SELECT conversation, due FROM own_reads WHERE due IS NOT NULL ORDER BY conversation',
      )
      .all()
      .map(({ conversation, due }) => ({
        conversation,
        ...(JSON.parse(due) as Omit<DueRead, 'conversation'>),
      }));
  }

  /** Marks an `own.read` as delivered, or as not needed without other devices. All of them without an id. */
  settle(id: string | null): void {
    if (id === null) this.#db.prepare('UPDATE own_reads SET due = NULL WHERE due IS NOT NULL').run();
    else
      this.#db.prepare("UPDATE own_reads SET due = NULL WHERE due IS NOT NULL AND due ->> 'id' = ?").run(id);
  }

  /** Stores another device's read position whose message has not arrived. */
  wait(conversationId: number, { sender, id }: MessageId): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO own_reads_waiting (conversation_id, sender, uid) VALUES (?, ?, ?)')
      .run(conversationId, sender, decodeBase64Url(id));
    this.#db
      .prepare(
        `DELETE FROM own_reads_waiting WHERE id IN (
           SELECT id FROM own_reads_waiting WHERE conversation_id = ? ORDER BY id DESC LIMIT -1 OFFSET ${MAX_WAITING})`,
      )
      .run(conversationId);
  }

  /** Reports whether a read position waited for this message. Removes it. */
  hasCome(conversationId: number, { sender, id }: MessageId): boolean {
    const { changes } = this.#db
      .prepare('DELETE FROM own_reads_waiting WHERE conversation_id = ? AND sender = ? AND uid = ?')
      .run(conversationId, sender, decodeBase64Url(id));
    return changes > 0;
  }
}
