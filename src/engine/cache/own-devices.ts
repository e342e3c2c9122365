/**
 * Devices of the account that were added elsewhere: each is announced until the person answers, since a thief of the recovery
 * phrase could have added it. At most as many rows as a list has devices, and {@link MAX_EXPECTED} expected ones.
 */
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';

/** Devices that this computer linked and whose list it has not seen yet; the oldest are forgotten. */
const MAX_EXPECTED = 16;

export interface AddedDevice {
  id: string;
  type: DeviceList['devices'][number]['type'];
  /** Date of the list that added it, at the latest the time at which it was seen here. Milliseconds since 1970. */
  at: number;
}

export class OwnDevices {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Notes a device that the person is linking on this computer: it is not announced here. */
  expect(deviceId: string): void {
    this.#db.transaction(() => {
      this.#db
        .prepare("INSERT OR IGNORE INTO own_devices (device_id, state) VALUES (?, 'expected')")
        .run(deviceId);
      this.#db
        .prepare(
          `DELETE FROM own_devices WHERE state = 'expected' AND rowid NOT IN (
             SELECT rowid FROM own_devices WHERE state = 'expected' ORDER BY rowid DESC LIMIT ?)`,
        )
        .run(MAX_EXPECTED);
    })();
  }

  /**
   * Compares proven own lists with the last seen one. The devices of the first one ever seen are known; those added later are
   * announced. Ignores lists that are not newer.
   * @param lists ascending
   * @param own id of this device
   * @param now milliseconds since 1970
   */
  see(lists: readonly DeviceList[], own: string, now: number): void {
    this.#db.transaction(() => {
      const seen = this.#seen();
      const newer = lists.filter(({ sequence }) => sequence > seen);
      if (seen === 0) this.#db.prepare('DELETE FROM own_devices').run();
      for (const list of seen === 0 ? newer.slice(-1) : newer) this.#see(list, own, now, seen === 0);
    })();
  }

  #see({ sequence, issued, devices }: DeviceList, own: string, now: number, isFirst: boolean): void {
    this.#db.prepare('UPDATE identity SET seen_list = ?').run(sequence);
    const ids = JSON.stringify(devices.map(({ deviceId }) => deviceId));
    // A device that was removed and returns is announced again.
    this.#db
      .prepare(
        `DELETE FROM own_devices
          WHERE state <> 'expected' AND device_id NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(ids);
    this.#db
      .prepare(
        `UPDATE own_devices SET state = 'known'
          WHERE state = 'expected' AND device_id IN (SELECT value FROM json_each(?))`,
      )
      .run(ids);
    const insert = this.#db.prepare(
      'INSERT OR IGNORE INTO own_devices (device_id, state, type, added_at) VALUES (?, ?, ?, ?)',
    );
    const at = Math.min(decodeTime(issued), now);
    for (const { deviceId, type } of devices)
      insert.run(deviceId, isFirst || deviceId === own ? 'known' : 'new', type, at);
  }

  /** Devices to announce, newest first. */
  added(): AddedDevice[] {
    return this.#db
      .prepare<[], AddedDevice>(
        `SELECT device_id AS id, type, added_at AS at FROM own_devices
          WHERE state IN ('new', 'shown') ORDER BY added_at DESC, rowid DESC`,
      )
      .all();
  }

  /** Reports whether there are devices without a notification, once. */
  takeNew(): boolean {
    return this.#db.prepare("UPDATE own_devices SET state = 'shown' WHERE state = 'new'").run().changes > 0;
  }

  /** Ends the announcement of devices that the person has confirmed. */
  confirm(ids: readonly string[]): void {
    this.#db
      .prepare(
        `UPDATE own_devices SET state = 'known'
          WHERE state <> 'expected' AND device_id IN (SELECT value FROM json_each(?))`,
      )
      .run(JSON.stringify(ids));
  }

  #seen(): number {
    return this.#db.prepare('SELECT seen_list FROM identity').pluck().get() as number;
  }
}
