/**
 * Facts about refused envelopes, for diagnosis. They are never shown as messages and never block the inbox.
 * Bodies are not stored. The table is bounded: less than half a megabyte, regardless of the number of envelopes.
 */
import type { RefusedCode, RefusedData } from '../../base/refused-sentences.ts';
import type { Cache } from './database.ts';

/** Limit of entries; the oldest are dropped. */
const MOST = 1_000;
/** Limit of entries of one sender, so that one sender cannot displace the others. */
const MAX_OF_SENDER = 100;
/** Age limit of an entry, in milliseconds. */
const KEEP = 30 * 86_400_000;
export interface Refused {
  envelopeId: string;
  sender: string;
  why: RefusedData;
  /** Length of its ciphertext, in characters. */
  size: number;
}

export class Quarantine {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Stores the refused envelopes of one page. */
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
         SELECT envelope_id FROM quarantine WHERE sender = @sender ORDER BY quarantined_at DESC LIMIT ${MAX_OF_SENDER})`,
    );
    for (const sender of new Set(entries.map((entry) => entry.sender))) ofSender.run({ sender });
    this.#db
      .prepare(
        `DELETE FROM quarantine WHERE envelope_id NOT IN (
           SELECT envelope_id FROM quarantine ORDER BY quarantined_at DESC LIMIT ${MOST})`,
      )
      .run();
  }

  /** Number of entries by code, for diagnosis. */
  codes(): { code: RefusedCode; count: number }[] {
    return this.#db
      .prepare<[], { code: RefusedCode; count: number }>(
        'SELECT code, count(*) AS count FROM quarantine GROUP BY code ORDER BY code',
      )
      .all();
  }
}
