/** Messages of this device that other devices requested again, remembered for a day. */
import type { Ask, AskMemory } from '../../messaging/gaps/memory.ts';
import type { Cache } from './database.ts';

interface AskRow {
  conversation: string;
  address: string;
  device_id: string;
  seq: number;
  requested_at: number;
  due_at: number;
}

function fromRow({ conversation, address, device_id, seq, requested_at, due_at }: AskRow): Ask {
  return { conversation, address, deviceId: device_id, seq, requestedAt: requested_at, dueAt: due_at };
}

export class AskRows implements AskMemory {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  add(ask: Ask): void {
    this.#db
      .prepare(
        `INSERT OR IGNORE INTO gap_asks (conversation, address, device_id, seq, requested_at, due_at)
         VALUES (@conversation, @address, @deviceId, @seq, @requestedAt, @dueAt)`,
      )
      .run(ask);
  }

  count(): number {
    return this.#count('SELECT count(*) AS count FROM gap_asks');
  }

  countOf(address: string): number {
    return this.#count('SELECT count(*) AS count FROM gap_asks WHERE address = ?', address);
  }

  due(now: number, most: number): Ask[] {
    return this.#db
      .prepare<[number, number], AskRow>(
        'SELECT * FROM gap_asks WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?',
      )
      .all(now, most)
      .map(fromRow);
  }

  resealed(deviceId: string): number {
    return this.#count(
      'SELECT count(*) AS count FROM gap_asks WHERE device_id = ? AND resealed = 1',
      deviceId,
    );
  }

  answered(ask: Ask, isResealed: boolean): void {
    this.#db
      .prepare(
        `UPDATE gap_asks SET due_at = NULL, resealed = ${isResealed ? 1 : 0}
         WHERE conversation = @conversation AND device_id = @deviceId AND seq = @seq`,
      )
      .run(ask);
  }

  postpone(ask: Ask, dueAt: number): void {
    this.#db
      .prepare(
        'UPDATE gap_asks SET due_at = @dueAt WHERE conversation = @conversation AND device_id = @deviceId AND seq = @seq',
      )
      .run({ ...ask, dueAt });
  }

  forgetBefore(time: number): void {
    this.#db.prepare('DELETE FROM gap_asks WHERE requested_at < ?').run(time);
  }

  #count(query: string, ...of: string[]): number {
    return this.#db.prepare<string[], { count: number }>(query).get(...of)?.count ?? 0;
  }
}
