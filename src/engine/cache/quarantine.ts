/**
 * Envelopes that were refused: facts about them for diagnosis, never shown as messages, never in the way of
 * the inbox. Their bodies are not kept, and of the facts only so many: whatever strangers send, this takes less than
 * half a megabyte.
 */
import type { RefusedCode, RefusedData } from '../../base/refused-sentences.ts';
import type { Cache } from './database.ts';

/** Entries in all; the oldest go. */
const MOST = 1_000;
/** Entries of one sender, so that one does not push out what is known of the others. */
const MOST_OF_SENDER = 100;
/** How long an entry is kept, in milliseconds. */
const KEEP = 30 * 86_400_000;
export interface Refused {
  envelopeId: string;
  sender: string;
  why: RefusedData;
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
      `INSERT OR IGNORE INTO quarantine (envelope_id, sender, code, parameters, size, quarantined_at)
       VALUES (@envelopeId, @sender, @code, @parameters, @size, @now)`,
    );
    for (const { why, ...facts } of entries)
      insert.run({ ...facts, code: why.code, parameters: JSON.stringify(why.parameters), now });
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

  /** Codes and how often each occurred, for diagnosis. */
  codes(): { code: RefusedCode; count: number }[] {
    return this.#db
      .prepare<[], { code: RefusedCode; count: number }>(
        'SELECT code, count(*) AS count FROM quarantine GROUP BY code ORDER BY code',
      )
      .all();
  }
}
