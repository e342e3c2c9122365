/**
 * Own controls that have a number, kept for as long as a device may ask for them again.
 */
import { MessageId } from '../../messaging/contents/fields.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import type { Cache } from './database.ts';

/** In milliseconds: what is older is sealed again for nobody. */
const KEPT_FOR = 30 * 24 * 3_600_000;

interface SentControl {
  id: number;
  body: MessageBody;
}

interface Row {
  id: number;
  body: string;
}

const fromRow = (row: Row | undefined): SentControl | null =>
  row ? { id: row.id, body: JSON.parse(row.body) as MessageBody } : null;

const nameOf = ({ sender, id }: MessageId): string => `${sender}/${id}`;

/** The one message that a control is about. */
function targetOf({ target }: MessageBody): string | null {
  const named = MessageId.safeParse(target);
  return named.success ? nameOf(named.data) : null;
}

export class SentControls {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** @returns its id */
  insert(conversationId: number, body: MessageBody, now: number): number {
    this.#db
      .prepare(
        'DELETE FROM sent_controls WHERE sent_at < ? AND id NOT IN (SELECT control_id FROM outbox WHERE control_id IS NOT NULL)',
      )
      .run(now - KEPT_FOR);
    const { lastInsertRowid } = this.#db
      .prepare(
        'INSERT INTO sent_controls (conversation_id, body, seq, target, sent_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(conversationId, JSON.stringify(body), body.seq, targetOf(body), now);
    return Number(lastInsertRowid);
  }

  /** Nothing is left of what was said about a message; what waits to be sent of it goes too. */
  removeAbout(conversationId: number, target: MessageId): void {
    this.#db
      .prepare('DELETE FROM sent_controls WHERE conversation_id = ? AND target = ?')
      .run(conversationId, nameOf(target));
  }

  get(id: number): SentControl | null {
    return fromRow(
      this.#db.prepare<[number], Row>('SELECT id, body FROM sent_controls WHERE id = ?').get(id),
    );
  }

  setBody(id: number, body: MessageBody): void {
    this.#db.prepare('UPDATE sent_controls SET body = ? WHERE id = ?').run(JSON.stringify(body), id);
  }

  /** What was sent under a number; null if there is nothing, or not any more. */
  bySeq(conversationId: number, seq: number): (SentControl & { isSent: boolean }) | null {
    const row = this.#db
      .prepare<[number, number], Row & { waits: number }>(
        `SELECT c.id, c.body, o.id IS NOT NULL AND o.held = 0 AS waits FROM sent_controls c
           LEFT JOIN outbox o ON o.control_id = c.id WHERE c.conversation_id = ? AND c.seq = ?`,
      )
      .get(conversationId, seq);
    const found = fromRow(row);
    return found && { ...found, isSent: row?.waits === 0 };
  }
}
