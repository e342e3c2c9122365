/** Row counts and sizes of the cache, for a fault report. No contents. */
import type { Cache } from './database.ts';

export interface CacheCounts {
  /** Schema version. */
  version: number;
  /** File size in bytes. */
  bytes: number;
  contacts: number;
  conversations: number;
  requests: number;
  groups: number;
  messages: number;
  /** Messages in the outbox. */
  queued: number;
  failed: number;
  /** Refused envelopes. */
  quarantined: number;
}

export class Counts {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  get(): CacheCounts {
    const pragma = (name: string) => this.#db.pragma(name, { simple: true }) as number;
    const rows = this.#db
      .prepare<[], Omit<CacheCounts, 'version' | 'bytes'>>(
        `SELECT
          (SELECT count(*) FROM contacts) AS contacts,
          (SELECT count(*) FROM conversations) AS conversations,
          (SELECT count(*) FROM conversations WHERE state = 'request') AS requests,
          (SELECT count(*) FROM groups) AS groups,
          (SELECT count(*) FROM messages) AS messages,
          (SELECT count(*) FROM outbox) AS queued,
          (SELECT count(*) FROM messages WHERE state = 'failed') AS failed,
          (SELECT count(*) FROM quarantine) AS quarantined`,
      )
      .get();
    if (!rows) throw new TypeError('a count without a row');
    return { ...rows, version: pragma('user_version'), bytes: pragma('page_count') * pragma('page_size') };
  }
}
