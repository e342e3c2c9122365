/**
 * Which messages were taken. What was taken once is not shown again, also after it was deleted here.
 */
import { REMEMBER_FOR, wasTaken } from '../../messaging/trust/replay.ts';
import type { Cache } from './database.ts';

/** How often what has become old is forgotten, in milliseconds. */
const FORGET_EVERY = 24 * 3_600_000;

export class Seen {
  readonly #db: Cache;
  #forgottenAt = 0;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Whether a message was taken before.
   * @param isSigned whether a certified device of its sender signed it
   */
  has(sender: string, uid: Uint8Array, isSigned: boolean): boolean {
    const rows = this.#db
      .prepare<[string, Uint8Array], { signed: number }>(
        'SELECT signed FROM seen WHERE sender = ? AND uid = ?',
      )
      .all(sender, uid);
    const taken = {
      signed: rows.some(({ signed }) => signed === 1),
      unsigned: rows.some(({ signed }) => signed === 0),
    };
    return wasTaken(taken, isSigned);
  }

  /** Remembers a message that left something here. @param now milliseconds since 1970 */
  add(sender: string, uid: Uint8Array, isSigned: boolean, now: number): void {
    this.#forget(now);
    this.#db
      .prepare('INSERT OR IGNORE INTO seen (sender, uid, signed, at) VALUES (?, ?, ?, ?)')
      .run(sender, uid, isSigned ? 1 : 0, now);
  }

  #forget(now: number): void {
    if (Math.abs(now - this.#forgottenAt) < FORGET_EVERY) return;
    this.#forgottenAt = now;
    this.#db.prepare('DELETE FROM seen WHERE at < ?').run(now - REMEMBER_FOR);
  }
}
