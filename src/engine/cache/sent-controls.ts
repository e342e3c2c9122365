/** Numbered own controls, stored while devices may request them again. */
import { MessageId } from '../../messaging/contents/fields.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import type { Cache } from './database.ts';

/** Age limit in milliseconds. Older controls are not sealed again. */
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

/** The message that a control targets. */
function targetOf({ target }: MessageBody): string | null {
  const named = MessageId.safeParse(target);
  return named.success ? nameOf(named.data) : null;
}

export class SentControls {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** @returns its row id */
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

  /** Deletes all controls about a message, including those in the outbox. */
  removeAbout(conversationId: number, target: MessageId): void {
    this.#db
      .prepare('DELETE FROM sent_controls WHERE conversation_id = ? AND target = ?')
      .run(conversationId, nameOf(target));
  }

  /** Deletes a control, also in the outbox: no device gets it from now on. */
  remove(id: number): void {
    this.#db.prepare('DELETE FROM sent_controls WHERE id = ?').run(id);
  }

  get(id: number): SentControl | null {
    return fromRow(
      this.#db.prepare<[number], Row>('SELECT id, body FROM sent_controls WHERE id = ?').get(id),
    );
  }

  setBody(id: number, body: MessageBody): void {
    this.#db.prepare('UPDATE sent_controls SET body = ? WHERE id = ?').run(JSON.stringify(body), id);
  }

  /** The own control with a number; null if there is none or it was deleted. */
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
