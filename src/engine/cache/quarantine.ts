/**
 * Envelopes that were refused: facts about them for diagnosis, never shown as messages, never in the way of
 * the inbox. Their bodies are not kept, and of the facts only so many: whatever strangers send, this takes less than
 * half a megabyte.
 */
import type { Cache } from './database.ts';

/** Entries in all; the oldest go. */
const MOST = 1_000;
/** Entries of one sender, so that one does not push out what is known of the others. */
const MOST_OF_SENDER = 100;
/** How long an entry is kept, in milliseconds. */
const KEEP = 30 * 86_400_000;
/** Characters of a reason. */
const MOST_REASON = 200;

export interface Refused {
  envelopeId: string;
  sender: string;
  reason: string;
  /** Of its ciphertext, in characters. */
  size: number;
}

export class Quarantine {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Notes what was refused of one page. */
  add(entries: readonly Refused[], now: number): void {
    this.#db.transaction(() => this.#add(entries, now))();
  }

  #add(entries: readonly Refused[], now: number): void {
    const insert = this.#db.prepare(
      `INSERT OR IGNORE INTO quarantine (envelope_id, sender, reason, size, quarantined_at)
       VALUES (@envelopeId, @sender, @reason, @size, @now)`,
    );
    for (const entry of entries) insert.run({ ...entry, reason: entry.reason.slice(0, MOST_REASON), now });
    this.#db.prepare('DELETE FROM quarantine WHERE quarantined_at < ?').run(now - KEEP);
    const ofSender = this.#db.prepare(
      `DELETE FROM quarantine WHERE sender = @sender AND envelope_id NOT IN (
         SELECT envelope_id FROM quarantine WHERE sender = @sender ORDER BY quarantined_at DESC LIMIT ${MOST_OF_SENDER})`,
    );
    for (const sender of new Set(entries.map((entry) => entry.sender))) ofSender.run({ sender });
    this.#db
      .prepare(
        `DELETE FROM quarantine WHERE envelope_id NOT IN (
           SELECT envelope_id FROM quarantine ORDER BY quarantined_at DESC LIMIT ${MOST})`,
      )
      .run();
  }

  /** Reasons and how often each occurred, for diagnosis. */
  reasons(): { reason: string; count: number }[] {
    return this.#db
      .prepare<[], { reason: string; count: number }>(
        'SELECT reason, count(*) AS count FROM quarantine GROUP BY reason ORDER BY reason',
      )
      .all();
  }
}
