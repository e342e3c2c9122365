/** Receipts from other people for the messages of own devices: delivered and read numbers. */
import { type DeviceReceipt, isSame, joinedReceipts, NO_RECEIPT } from '../../messaging/receipts/coverage.ts';
import type { Cache } from './database.ts';

/** Rows of one conversation. The person heard longest ago is dropped. */
const MAX_IN_ONE = 1_000;

/** One person's receipt for one own device in a conversation. */
export interface StoredReceipt {
  /** Wire address. */
  address: string;
  deviceId: string;
  reported: DeviceReceipt;
}

export class ReceiptRows {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** All receipts of a conversation, in one query. */
  of(conversationId: number): StoredReceipt[] {
    return this.#db
      .prepare<[number], { address: string; deviceId: string; reported: string }>(
        'SELECT address, device_id AS deviceId, reported FROM receipts WHERE conversation_id = ?',
      )
      .all(conversationId)
      .map((row) => ({ ...row, reported: JSON.parse(row.reported) as DeviceReceipt }));
  }

  /** Reports whether a conversation has any receipt. */
  hasAny(conversationId: number): boolean {
    return (
      this.#db
        .prepare<[number], { one: number }>('SELECT 1 AS one FROM receipts WHERE conversation_id = ? LIMIT 1')
        .get(conversationId) !== undefined
    );
  }

  /**
   * Stores a receipt.
   * @returns whether it was new
   */
  store(conversationId: number, { address, deviceId, reported }: StoredReceipt, now: number): boolean {
    const row = this.#db
      .prepare<[number, string, string], { reported: string }>(
        'SELECT reported FROM receipts WHERE conversation_id = ? AND address = ? AND device_id = ?',
      )
      .get(conversationId, address, deviceId);
    const before = row ? (JSON.parse(row.reported) as DeviceReceipt) : NO_RECEIPT;
    const all = joinedReceipts(before, reported);
    if (isSame(all.delivered, before.delivered) && isSame(all.read, before.read)) return false;
    if (!row) this.#makeRoom(conversationId);
    this.#db
      .prepare(
        `INSERT INTO receipts (conversation_id, address, device_id, reported, last_received_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (conversation_id, address, device_id) DO UPDATE SET reported = excluded.reported, last_received_at = excluded.last_received_at`,
      )
      .run(conversationId, address, deviceId, JSON.stringify(all), now);
    return true;
  }

  #makeRoom(conversationId: number): void {
    this.#db
      .prepare(
        `DELETE FROM receipts WHERE (conversation_id, address, device_id) IN (
           SELECT conversation_id, address, device_id FROM receipts WHERE conversation_id = ?
            ORDER BY last_received_at DESC LIMIT -1 OFFSET ${MAX_IN_ONE - 1})`,
      )
      .run(conversationId);
  }
}
