/** Recipients of the own device list, each with the time of the last hello. */
import type { HelloPlan, HelloPlans } from '../../messaging/greeting/plans.ts';
import type { Cache } from './database.ts';

interface HelloRow {
  address: string;
  due_at: number | null;
  after_sequence: number;
  sent_at: number | null;
}

function fromRow({ address, due_at, after_sequence, sent_at }: HelloRow): HelloPlan {
  return { address, after: after_sequence, dueAt: due_at, sentAt: sent_at };
}

export class Hellos implements HelloPlans {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  plannedList(): number {
    return (
      this.#db.prepare<[], { planned: number }>('SELECT planned_list AS planned FROM identity').get()
        ?.planned ?? 0
    );
  }

  count(): number {
    return this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM hellos').get()?.count ?? 0;
  }

  find(address: string): HelloPlan | null {
    const row = this.#db.prepare<[string], HelloRow>('SELECT * FROM hellos WHERE address = ?').get(address);
    return row ? fromRow(row) : null;
  }

  save(plans: readonly HelloPlan[], plannedList?: number): void {
    const insert = this.#db.prepare(
      `INSERT INTO hellos (address, due_at, after_sequence, sent_at) VALUES (@address, @dueAt, @after, @sentAt)
       ON CONFLICT (address) DO UPDATE SET due_at = @dueAt, after_sequence = @after, sent_at = @sentAt`,
    );
    this.#db.transaction(() => {
      for (const plan of plans) insert.run(plan);
      if (plannedList !== undefined) {
        this.#db.prepare('UPDATE identity SET planned_list = ?').run(plannedList);
      }
    })();
  }

  due(now: number, limit: number): HelloPlan[] {
    return this.#db
      .prepare<[number, number], HelloRow>('SELECT * FROM hellos WHERE due_at <= ? ORDER BY due_at LIMIT ?')
      .all(now, limit)
      .map(fromRow);
  }

  nextDueAt(): number | null {
    return (
      this.#db.prepare<[], { next: number | null }>('SELECT min(due_at) AS next FROM hellos').get()?.next ??
      null
    );
  }

  forgetBefore(time: number): void {
    this.#db.prepare('DELETE FROM hellos WHERE due_at IS NULL AND coalesce(sent_at, 0) < ?').run(time);
  }
}
