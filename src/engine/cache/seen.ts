/** Messages already received. They are not shown again, even after they were deleted here. */
import { isDuplicate, REMEMBER_FOR } from '../../messaging/trust/replay.ts';
import type { Cache } from './database.ts';

/**
 * Number of remembered messages of unaccepted people: of one person, and of all. The oldest are forgotten.
 */
export const MAX_OF_STRANGER = 500;
export const MAX_OF_STRANGERS = 10_000;
/** Number of new rows after which the total is counted. */
const COUNT_EVERY = 100;
/** Interval for deleting old rows, in milliseconds. */
const FORGET_EVERY = 24 * 3_600_000;

export class Seen {
  readonly #db: Cache;
  #forgottenAt = 0;
  /** New rows of strangers since the last count. */
  #added = 0;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Reports whether a message was received before.
   * @param isSigned whether a certified device of its sender signed it
   */
  has(sender: string, uid: Uint8Array, isSigned: boolean): boolean {
    const rows = this.#db
      .prepare<[string, Uint8Array], { signed: number }>(
        'SELECT signed FROM seen WHERE sender = ? AND uid = ?',
      )
      .all(sender, uid);
    const message = {
      signed: rows.some(({ signed }) => signed === 1),
      unsigned: rows.some(({ signed }) => signed === 0),
    };
    return isDuplicate(message, isSigned);
  }

  /**
   * Remembers a received message.
   * @param isStranger whether its sender is unaccepted: only the newest of such senders are remembered
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

  /**
   * Remembers a message of a history, which may arrive again.
   * @param at time of its arrival, in milliseconds since 1970
   */
  remember(sender: string, uid: Uint8Array, isSigned: boolean, at: number, now: number): void {
    if (at < now - REMEMBER_FOR) return;
    this.#db
      .prepare('INSERT OR IGNORE INTO seen (sender, uid, signed, at, stranger) VALUES (?, ?, ?, ?, 0)')
      .run(sender, uid, isSigned ? 1 : 0, at);
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
    drop('sender = @sender', MAX_OF_STRANGER);
    this.#added = (this.#added + 1) % COUNT_EVERY;
    if (this.#added === 0) drop('@sender IS NOT NULL', MAX_OF_STRANGERS);
  }

  #forget(now: number): void {
    if (Math.abs(now - this.#forgottenAt) < FORGET_EVERY) return;
    this.#forgottenAt = now;
    this.#db.prepare('DELETE FROM seen WHERE at < ?').run(now - REMEMBER_FOR);
  }
}
