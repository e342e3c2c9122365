/**
 * Envelopes that were refused: kept for whoever looks into it, never shown as messages, never in the way of the inbox.
 */
import type { Cache } from './database.ts';

export class Quarantine {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  add(entry: { envelopeId: string; sender: string; reason: string; envelope: string }, now: number): void {
    this.#db
      .prepare(
        `INSERT OR IGNORE INTO quarantine (envelope_id, sender, reason, envelope, quarantined_at)
         VALUES (@envelopeId, @sender, @reason, @envelope, @now)`,
      )
      .run({ ...entry, now });
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
