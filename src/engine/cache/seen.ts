/**
 * Which messages were taken. What was taken once is not shown again, also after it was deleted here.
 */
import { REMEMBER_FOR, wasTaken } from '../../messaging/trust/replay.ts';
import type { Cache } from './database.ts';

/** Messages of people who are not accepted that are remembered: of one, and of all. The oldest are forgotten. */
export const MOST_OF_STRANGER = 500;
export const MOST_OF_STRANGERS = 10_000;
/** After so many more all of them are counted. */
const COUNT_EVERY = 100;
/** How often what has become old is forgotten, in milliseconds. */
const FORGET_EVERY = 24 * 3_600_000;

export class Seen {
  readonly #db: Cache;
  #forgottenAt = 0;
  /** Of strangers since all of theirs were counted. */
  #added = 0;

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

  /**
   * Remembers a message that was judged.
   * @param isStranger whether the person has not accepted its sender: of such senders only the newest are remembered
   * @param now milliseconds since 1970
   */
  add(
    sender: string,
    uid: Uint8Array,
    { isSigned, isStranger }: { isSigned: boolean; isStranger: boolean },
    now: number,
  ): void {
    this.#forget(now);
    this.#db
      .prepare('INSERT OR IGNORE INTO seen (sender, uid, signed, at, stranger) VALUES (?, ?, ?, ?, ?)')
      .run(sender, uid, isSigned ? 1 : 0, now, isStranger ? 1 : 0);
    if (isStranger) this.#bound(sender);
  }

  #bound(sender: string): void {
    const drop = (where: string, most: number) =>
      this.#db
        .prepare<{ sender: string }>(
          `DELETE FROM seen WHERE (sender, uid, signed) IN (
             SELECT sender, uid, signed FROM seen WHERE stranger = 1 AND ${where}
              ORDER BY at DESC LIMIT -1 OFFSET ${most})`,
        )
        .run({ sender });
    drop('sender = @sender', MOST_OF_STRANGER);
    this.#added = (this.#added + 1) % COUNT_EVERY;
    if (this.#added === 0) drop('@sender IS NOT NULL', MOST_OF_STRANGERS);
  }

  #forget(now: number): void {
    if (Math.abs(now - this.#forgottenAt) < FORGET_EVERY) return;
    this.#forgottenAt = now;
    this.#db.prepare('DELETE FROM seen WHERE at < ?').run(now - REMEMBER_FOR);
  }
}
