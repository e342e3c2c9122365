/** Tracked message numbers of other people's devices, and the missing ones. */
import type { MissingNumber } from '../../messaging/gaps/device-gaps.ts';
import {
  type DeviceIn,
  type FollowedDevice,
  type GapMemory,
  MAX_FOLLOWED,
  MAX_FOLLOWED_IN_ONE,
  MAX_STRANGERS,
} from '../../messaging/gaps/memory.ts';
import type { Cache } from './database.ts';

/** Order of hearing from devices. */
const NEXT_HEARD = '(SELECT coalesce(max(heard), 0) + 1 FROM gaps)';

interface GapRow {
  id: number;
  conversation: string;
  address: string;
  device_id: string;
  since: number;
  stranger: number;
  base: number;
  high: number;
  missing: string;
}

function fromRow({ device_id: deviceId, base, high, missing, ...row }: GapRow): FollowedDevice {
  const { conversation, address, since, stranger } = row;
  const gaps = { base, high, missing: JSON.parse(missing) as MissingNumber[] };
  return { conversation, address, deviceId, since, isStranger: stranger === 1, gaps };
}

export class GapRows implements GapMemory {
  readonly #db: Cache;
  /** Last row that {@link incomplete} returned. */
  #given = 0;

  constructor(db: Cache) {
    this.#db = db;
  }

  find(conversation: string, deviceId: string): FollowedDevice | null {
    const row = this.#db
      .prepare<[string, string], GapRow>('SELECT * FROM gaps WHERE conversation = ? AND device_id = ?')
      .get(conversation, deviceId);
    return row ? fromRow(row) : null;
  }

  /** Tracked devices of a conversation. */
  devicesIn(conversation: string): DeviceIn[] {
    return this.#db
      .prepare<[string], DeviceIn>(
        'SELECT conversation, address, device_id AS deviceId FROM gaps WHERE conversation = ?',
      )
      .all(conversation);
  }

  save({ gaps: { base, high, missing }, isStranger, ...device }: FollowedDevice): void {
    const reported = missing.some(({ isReported }) => isReported) ? 1 : 0;
    const stranger = isStranger ? 1 : 0;
    const row = { ...device, stranger, base, high, missing: JSON.stringify(missing), reported };
    const { changes } = this.#db
      .prepare(
        `UPDATE gaps SET address = @address, since = @since, stranger = @stranger, base = @base, high = @high,
           missing = @missing, reported = @reported, heard = ${NEXT_HEARD}
          WHERE conversation = @conversation AND device_id = @deviceId`,
      )
      .run(row);
    if (changes > 0) return;
    this.#makeRoom(device.conversation, stranger);
    this.#db
      .prepare(
        `INSERT INTO gaps (conversation, address, device_id, since, stranger, base, high, missing, reported, heard)
         VALUES (@conversation, @address, @deviceId, @since, @stranger, @base, @high, @missing, @reported, ${NEXT_HEARD})`,
      )
      .run(row);
  }

  forget(conversation: string, deviceId: string): void {
    this.#db.prepare('DELETE FROM gaps WHERE conversation = ? AND device_id = ?').run(conversation, deviceId);
  }

  forgetAll(): void {
    this.#db.prepare('DELETE FROM gaps').run();
  }

  incomplete(most: number): FollowedDevice[] {
    const page = this.#db.prepare<[number, number], GapRow>(
      "SELECT * FROM gaps WHERE missing <> '[]' AND id > ? ORDER BY id LIMIT ?",
    );
    const rows = page.all(this.#given, most);
    if (rows.length < most) rows.push(...page.all(0, most - rows.length));
    this.#given = rows.at(-1)?.id ?? 0;
    return [...new Map(rows.map((row) => [row.id, row])).values()].map(fromRow);
  }

  isReported(conversation: string, address: string): boolean {
    const found = this.#db
      .prepare<[string, string], { id: number }>(
        'SELECT id FROM gaps WHERE conversation = ? AND address = ? AND reported = 1 LIMIT 1',
      )
      .get(conversation, address);
    return found !== undefined;
  }

  /** Forgets the device heard longest ago if the table is full. */
  #makeRoom(conversation: string, stranger: number): void {
    const drop = (which: string, most: number) =>
      this.#db
        .prepare(
          `DELETE FROM gaps WHERE id IN
             (SELECT id FROM gaps WHERE ${which} ORDER BY heard DESC LIMIT -1 OFFSET ${most - 1})`,
        )
        .run({ conversation });
    drop('conversation = @conversation', MAX_FOLLOWED_IN_ONE);
    if (stranger === 1) drop('stranger = 1', MAX_STRANGERS);
    drop('@conversation IS NOT NULL', MAX_FOLLOWED);
  }
}
