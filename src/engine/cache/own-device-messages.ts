/** Messages by devices of the person. Each step is one look-up in an index of these messages. */
import type { Cache } from './database.ts';

/** As in the index. */
const BY_DEVICE =
  "trust = 'self' AND device_id IS NOT NULL AND event IS NULL AND deleted_by IS NULL AND device_id";

export class OwnDeviceMessages {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Ids of conversations with messages by a device, the newest conversation first. */
  *conversations(deviceId: string): Generator<number> {
    const next = this.#db.prepare<[string, number], { id: number }>(
      `SELECT conversation_id AS id FROM messages WHERE ${BY_DEVICE} = ? AND conversation_id < ?
        ORDER BY conversation_id DESC LIMIT 1`,
    );
    const first = Number.MAX_SAFE_INTEGER;
    for (let found = next.get(deviceId, first); found; found = next.get(deviceId, found.id)) yield found.id;
  }

  /** Ids of the first messages by a device in a conversation. */
  in(conversationId: number, deviceId: string, limit: number): number[] {
    return this.#db
      .prepare<[string, number, number], { id: number }>(
        `SELECT id FROM messages WHERE ${BY_DEVICE} = ? AND conversation_id = ? ORDER BY id LIMIT ?`,
      )
      .all(deviceId, conversationId, limit)
      .map(({ id }) => id);
  }
}
