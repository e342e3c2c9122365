/** Messages of this device that other devices requested again, remembered for a day. */
import type { GapRequest, GapRequestMemory } from '../../messaging/gaps/memory.ts';
import type { Cache } from './database.ts';

interface GapRequestRow {
  conversation: string;
  address: string;
  device_id: string;
  seq: number;
  requested_at: number;
  due_at: number;
}

function fromRow({ conversation, address, device_id, seq, requested_at, due_at }: GapRequestRow): GapRequest {
  return { conversation, address, deviceId: device_id, seq, requestedAt: requested_at, dueAt: due_at };
}

export class GapRequestRows implements GapRequestMemory {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  add(request: GapRequest): void {
    this.#db
      .prepare(
        `INSERT OR IGNORE INTO gap_requests (conversation, address, device_id, seq, requested_at, due_at)
         VALUES (@conversation, @address, @deviceId, @seq, @requestedAt, @dueAt)`,
      )
      .run(request);
  }

  count(): number {
    return this.#count('SELECT count(*) AS count FROM gap_requests');
  }

  countOf(address: string): number {
    return this.#count('SELECT count(*) AS count FROM gap_requests WHERE address = ?', address);
  }

  due(now: number, most: number): GapRequest[] {
    return this.#db
      .prepare<[number, number], GapRequestRow>(
        'SELECT * FROM gap_requests WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?',
      )
      .all(now, most)
      .map(fromRow);
  }

  resealed(deviceId: string): number {
    return this.#count(
      'SELECT count(*) AS count FROM gap_requests WHERE device_id = ? AND resealed = 1',
      deviceId,
    );
  }

  answered(request: GapRequest, isResealed: boolean): void {
    this.#db
      .prepare(
        `UPDATE gap_requests SET due_at = NULL, resealed = ${isResealed ? 1 : 0}
         WHERE conversation = @conversation AND device_id = @deviceId AND seq = @seq`,
      )
      .run(request);
  }

  postpone(request: GapRequest, dueAt: number): void {
    this.#db
      .prepare(
        'UPDATE gap_requests SET due_at = @dueAt WHERE conversation = @conversation AND device_id = @deviceId AND seq = @seq',
      )
      .run({ ...request, dueAt });
  }

  forgetBefore(time: number): void {
    this.#db.prepare('DELETE FROM gap_requests WHERE requested_at < ?').run(time);
  }

  #count(query: string, ...of: string[]): number {
    return this.#db.prepare<string[], { count: number }>(query).get(...of)?.count ?? 0;
  }
}
