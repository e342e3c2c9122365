/** Messages that are not at the relay yet: one row for each message, with its sealed copies. */
import type { Copy } from '../../messaging/sending/outgoing.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { Cache } from './database.ts';

export interface OutboxEntry {
  id: number;
  /** The message; null for a control. */
  messageId: number | null;
  controlId: number | null;
  conversationId: number;
  /** Milliseconds since 1970. */
  queuedAt: number;
  attempts: number;
  /** Number of waits for devices that cannot get a copy now, since the last news about them. */
  waits: number;
  nextAttemptAt: number;
  /** Addresses of which a device has no copy after all others have theirs. Null for other entries. */
  pendingRecipients: string[] | null;
}

/** Next attempt for the entries of a conversation with pending recipients. */
export interface PendingSchedule {
  waits: number;
  /** Milliseconds since 1970. */
  until: number;
}

interface OutboxRow {
  id: number;
  message_id: number | null;
  control_id: number | null;
  conversation_id: number;
  queued_at: number;
  attempts: number;
  waits: number;
  next_attempt_at: number;
  held_for: string | null;
}

interface CopyRow {
  /** JSON of the envelope for the relay. */
  envelope: string;
  accepted: number;
}

export class OutboxRows {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** @param relayUrl destination; null: the embedded relay */
  add(messageId: number, conversationId: number, relayUrl: string | null, now: number): void {
    this.#add('message_id', messageId, conversationId, relayUrl, now);
  }

  /** Same as {@link add}, for a control. */
  addControl(controlId: number, conversationId: number, relayUrl: string | null, now: number): void {
    this.#add('control_id', controlId, conversationId, relayUrl, now);
  }

  /** Same as {@link addControl}, for some members of a group alone. */
  addControlFor(
    controlId: number,
    conversationId: number,
    relayUrl: string | null,
    now: number,
    members: readonly string[],
  ): void {
    this.addControl(controlId, conversationId, relayUrl, now);
    this.#db
      .prepare('UPDATE outbox SET held = 1, held_for = ? WHERE control_id = ?')
      .run(JSON.stringify(members), controlId);
  }

  #add(
    column: 'message_id' | 'control_id',
    id: number,
    conversationId: number,
    relayUrl: string | null,
    now: number,
  ): void {
    this.#db
      .prepare(
        `INSERT INTO outbox (${column}, conversation_id, relay_url, next_attempt_at, queued_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(id, conversationId, relayUrl, now, now);
  }

  /** Reports whether an entry still exists: its message may have been deleted. */
  has(id: number): boolean {
    return (
      this.#db.prepare<[number], { id: number }>('SELECT id FROM outbox WHERE id = ?').get(id) !== undefined
    );
  }

  /** Reports whether an entry still exists and may be tried. */
  isDue(id: number, now: number): boolean {
    return (
      this.#db
        .prepare<[number, number], { id: number }>(
          'SELECT id FROM outbox WHERE id = ? AND next_attempt_at <= ?',
        )
        .get(id, now) !== undefined
    );
  }

  /**
   * Entries to try for a relay: the oldest entry of each conversation, and all entries with pending
   * recipients. Conversations do not wait for each other, and no entry waits for one with pending recipients.
   * @param relayUrl null: the embedded relay
   */
  heads(relayUrl: string | null): OutboxEntry[] {
    return this.#db
      .prepare<[{ relayUrl: string | null }], OutboxRow>(
        `SELECT * FROM outbox WHERE relay_url IS @relayUrl AND (held = 1 OR id IN (
           SELECT min(id) FROM outbox WHERE held = 0 AND relay_url IS @relayUrl GROUP BY conversation_id))
         ORDER BY id`,
      )
      .all({ relayUrl })
      .map((row) => ({
        id: row.id,
        messageId: row.message_id,
        controlId: row.control_id,
        conversationId: row.conversation_id,
        queuedAt: row.queued_at,
        attempts: row.attempts,
        waits: row.waits,
        nextAttemptAt: row.next_attempt_at,
        pendingRecipients: row.held_for === null ? null : (JSON.parse(row.held_for) as string[]),
      }));
  }

  count(): number {
    return (
      this.#db
        .prepare<[], { count: number }>(
          'SELECT count(*) AS count FROM outbox WHERE held = 0 AND message_id IS NOT NULL',
        )
        .get()?.count ?? 0
    );
  }

  /** Postpones the next attempt after a failure, to a time in milliseconds since 1970. */
  postpone(id: number, until: number): void {
    this.#db
      .prepare('UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ?')
      .run(until, id);
  }

  /** Delays an entry without counting an attempt, to a time in milliseconds since 1970. */
  delay(id: number, until: number): void {
    this.#db.prepare('UPDATE outbox SET next_attempt_at = ? WHERE id = ?').run(until, id);
  }

  /** Allows an attempt of a message now. */
  retryMessage(messageId: number, now: number): void {
    this.#db.prepare('UPDATE outbox SET next_attempt_at = ? WHERE message_id = ?').run(now, messageId);
  }

  /** Allows an attempt of the entries of a conversation now. */
  retryConversation(conversationId: number, now: number): void {
    this.#db
      .prepare('UPDATE outbox SET next_attempt_at = min(next_attempt_at, ?) WHERE conversation_id = ?')
      .run(now, conversationId);
  }

  /**
   * Makes an entry wait for devices that the relay does not show, until a time in milliseconds since 1970.
   */
  wait(id: number, until: number): void {
    this.#db.prepare('UPDATE outbox SET waits = waits + 1, next_attempt_at = ? WHERE id = ?').run(until, id);
  }

  /** End and count of the wait in a conversation with pending recipients; null without any. */
  pendingSchedule(conversationId: number): PendingSchedule | null {
    const row = this.#db
      .prepare<[number], { waits: number | null; until: number | null }>(
        `SELECT max(waits) AS waits, max(next_attempt_at) AS until FROM outbox
          WHERE held = 1 AND conversation_id = ?`,
      )
      .get(conversationId);
    return row?.waits == null || row.until === null ? null : { waits: row.waits, until: row.until };
  }

  /**
   * Stores the recipients of whom a device cannot get its copy now. All such entries of a conversation share one
   * retry time. At most `most` are stored, the newest.
   * @param recipients their addresses
   */
  setPending(
    { id, conversationId }: OutboxEntry,
    recipients: readonly string[],
    { waits, until }: PendingSchedule,
    most: number,
  ): void {
    this.#db
      .prepare('UPDATE outbox SET held = 1, held_for = ? WHERE id = ?')
      .run(JSON.stringify(recipients), id);
    this.#db
      .prepare('UPDATE outbox SET waits = ?, next_attempt_at = ? WHERE held = 1 AND conversation_id = ?')
      .run(waits, until, conversationId);
    this.#db
      .prepare(
        `DELETE FROM outbox WHERE id IN (
           SELECT id FROM outbox
           WHERE held = 1 AND conversation_id = @conversationId
           ORDER BY id DESC LIMIT -1 OFFSET @most
         )`,
      )
      .run({ conversationId, most });
  }

  /** Allows a retry of all entries now. */
  retryNow(now: number): void {
    this.#db.prepare('UPDATE outbox SET next_attempt_at = ? WHERE next_attempt_at > ?').run(now, now);
  }

  /** Allows a retry of the entries that wait for the devices of an address, after news about them. */
  retryFor(address: string, now: number): void {
    this.#db
      .prepare(
        `UPDATE outbox SET waits = 0, next_attempt_at = min(next_attempt_at, @now)
          WHERE @address IN (SELECT value FROM json_each(coalesce(held_for, '[]')))
             OR conversation_id IN (
               SELECT c.id FROM conversations c JOIN contacts p ON p.id = c.contact_id WHERE p.address = @address)`,
      )
      .run({ address, now });
  }

  copies(id: number): Copy[] {
    return this.#db
      .prepare<[number], CopyRow>('SELECT envelope, accepted FROM outbox_copies WHERE outbox_id = ?')
      .all(id)
      .map((row) => ({
        envelope: JSON.parse(row.envelope) as GroupEnvelope,
        accepted: row.accepted === 1,
      }));
  }

  addCopies(id: number, envelopes: readonly GroupEnvelope[]): void {
    const insert = this.#db.prepare(
      'INSERT INTO outbox_copies (outbox_id, recipient_key, envelope) VALUES (?, ?, ?)',
    );
    for (const envelope of envelopes) insert.run(id, envelope.recipientDeviceKey, JSON.stringify(envelope));
  }

  markAccepted(id: number, recipientKeys: readonly string[]): void {
    const update = this.#db.prepare(
      'UPDATE outbox_copies SET accepted = 1 WHERE outbox_id = ? AND recipient_key = ?',
    );
    for (const key of recipientKeys) update.run(id, key);
  }

  removeCopies(id: number, recipientKeys: readonly string[]): void {
    const remove = this.#db.prepare('DELETE FROM outbox_copies WHERE outbox_id = ? AND recipient_key = ?');
    for (const key of recipientKeys) remove.run(id, key);
  }

  remove(id: number): void {
    this.#db.prepare('DELETE FROM outbox WHERE id = ?').run(id);
  }

  removeOfMessage(messageId: number): void {
    this.#db.prepare('DELETE FROM outbox WHERE message_id = ?').run(messageId);
  }
}
