/** Receipts to send for each author's device, and the last ones sent (src/messaging/receipts). */
import type { DeviceIn } from '../../messaging/gaps/memory.ts';
import { type DeviceReceipt, NO_RECEIPT } from '../../messaging/receipts/coverage.ts';
import type { DueMemory, DueReceipt } from '../../messaging/receipts/memory.ts';
import type { Cache } from './database.ts';

interface Row extends DeviceIn {
  plans: number;
  failures: number;
  reported: string | null;
}

const SELECT =
  'SELECT conversation, address, device_id AS deviceId, plans, failures, reported FROM due_receipts';

export class DueReceipts implements DueMemory {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  plan(device: DeviceIn, now: number, every: number): void {
    this.#db
      .prepare(
        // No receipts for a device that is not tracked.
        `INSERT INTO due_receipts (conversation, address, device_id, plans, due_at)
         SELECT conversation, address, device_id, 1, max(@now, coalesce((
             SELECT max(sent_at) + @every FROM due_receipts
              WHERE conversation = @conversation AND address = @address AND sent_at <= @now), 0))
           FROM gaps WHERE conversation = @conversation AND device_id = @deviceId AND address = @address
         ON CONFLICT (conversation, device_id) DO UPDATE
           SET address = @address, plans = plans + 1, due_at = CASE
             WHEN failures > 0 THEN coalesce(due_at, excluded.due_at)
             ELSE min(coalesce(due_at, excluded.due_at), excluded.due_at) END`,
      )
      .run({ ...device, now, every });
  }

  nextAt(): number | null {
    return (
      this.#db
        .prepare<[], { at: number | null }>(
          'SELECT min(due_at) AS at FROM due_receipts WHERE due_at IS NOT NULL',
        )
        .get()?.at ?? null
    );
  }

  due(now: number, most: number): DueReceipt[] {
    const first = this.#db
      .prepare<[number], DeviceIn>(
        `SELECT conversation, address FROM due_receipts WHERE due_at <= ? ORDER BY due_at LIMIT 1`,
      )
      .get(now);
    if (!first) return [];
    return this.#db
      .prepare<[string, string, number], Row>(
        `${SELECT} WHERE conversation = ? AND address = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?`,
      )
      .all(first.conversation, first.address, most)
      .map(({ reported, ...row }) => ({
        ...row,
        reported: reported === null ? NO_RECEIPT : (JSON.parse(reported) as DeviceReceipt),
      }));
  }

  sent({ conversation, deviceId }: DeviceIn, reported: DeviceReceipt, now: number): void {
    this.#db
      .prepare('UPDATE due_receipts SET reported = ?, sent_at = ? WHERE conversation = ? AND device_id = ?')
      .run(JSON.stringify(reported), now, conversation, deviceId);
  }

  settle({ conversation, deviceId, plans }: DueReceipt, next: number | null, again: number): void {
    this.#db
      .prepare(
        `UPDATE due_receipts SET failures = 0, due_at = CASE WHEN plans = @plans THEN @next ELSE @again END
          WHERE conversation = @conversation AND device_id = @deviceId`,
      )
      .run({ conversation, deviceId, plans, next, again });
  }

  postpone({ conversation, deviceId }: DueReceipt, until: number | null): void {
    this.#db
      .prepare(
        `UPDATE due_receipts SET failures = CASE WHEN @until IS NULL THEN 0 ELSE failures + 1 END, due_at = @until
          WHERE conversation = @conversation AND device_id = @deviceId`,
      )
      .run({ conversation, deviceId, until });
  }

  retryNow(now: number): void {
    this.#db.prepare('UPDATE due_receipts SET due_at = ? WHERE due_at > ? AND failures > 0').run(now, now);
  }
}
