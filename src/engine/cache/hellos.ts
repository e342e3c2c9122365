/**
 * Whom to tell of the own device list, and when each of them was told last.
 */
import type { Cache } from './database.ts';

export interface DueHello {
  address: string;
  /** Number of the newest own list that they know, as far as is known here; 0 if nothing is. */
  after: number;
}

export class Hellos {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Plans to tell an address. What is planned already stays, and tells of all lists that either reason asks for.
   * @param after number of the newest own list that they know
   * @param dueAt milliseconds since 1970
   * @param quietSince one that was told after this time is not told again
   */
  plan(address: string, after: number, dueAt: number, quietSince: number): void {
    this.#db
      .prepare(
        `INSERT INTO hellos (address, due_at, after_sequence, sent_at) VALUES (@address, @dueAt, @after, NULL)
         ON CONFLICT (address) DO UPDATE SET
           after_sequence = iif(due_at IS NULL, @after, min(after_sequence, @after)),
           due_at = coalesce(due_at, @dueAt)
         WHERE sent_at IS NULL OR sent_at <= @quietSince`,
      )
      .run({ address, dueAt, after, quietSince });
  }

  /** Number of the newest own list for which it is planned whom to tell of it; 0 if there is none. */
  plannedList(): number {
    return (
      this.#db.prepare<[], { planned: number }>('SELECT planned_list AS planned FROM identity').get()
        ?.planned ?? 0
    );
  }

  markPlanned(sequence: number): void {
    this.#db.prepare('UPDATE identity SET planned_list = ?').run(sequence);
  }

  /** Addresses that are to be told, or were told of late. */
  count(): number {
    return this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM hellos').get()?.count ?? 0;
  }

  /** Those that are due, the oldest first. */
  due(now: number, limit: number): DueHello[] {
    return this.#db
      .prepare<[number, number], { address: string; after_sequence: number }>(
        'SELECT address, after_sequence FROM hellos WHERE due_at <= ? ORDER BY due_at LIMIT ?',
      )
      .all(now, limit)
      .map((row) => ({ address: row.address, after: row.after_sequence }));
  }

  /** When the next is due, in milliseconds since 1970; null if nothing is planned. */
  nextDueAt(): number | null {
    return (
      this.#db.prepare<[], { next: number | null }>('SELECT min(due_at) AS next FROM hellos').get()?.next ??
      null
    );
  }

  /** The address was told. */
  sent(address: string, now: number): void {
    this.#db.prepare('UPDATE hellos SET due_at = NULL, sent_at = ? WHERE address = ?').run(now, address);
  }

  postpone(address: string, until: number): void {
    this.#db.prepare('UPDATE hellos SET due_at = ? WHERE address = ?').run(until, address);
  }

  /** The address is not to be told any more. */
  drop(address: string): void {
    this.#db.prepare('UPDATE hellos SET due_at = NULL WHERE address = ?').run(address);
  }

  /** Forgets who was told before a time and is not to be told again. */
  forgetBefore(time: number): void {
    this.#db.prepare('DELETE FROM hellos WHERE due_at IS NULL AND coalesce(sent_at, 0) < ?').run(time);
  }
}
