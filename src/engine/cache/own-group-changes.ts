/**
 * Fields of groups whose current value the person set: one row each, by the device that set it last. A value that someone else
 * sets removes the row.
 */
import type { AcceptedEntry } from '../../messaging/groups/chain-memory.ts';
import type { FieldValue, SetField } from '../../protocol/roster/set-fields.ts';
import type { Cache } from './database.ts';

/** Number of earlier values of a field, one per device. */
const MAX_EARLIER = 4;

/** A value by a device of the person. */
interface DeviceValue {
  value: FieldValue;
  deviceId: string;
}

/** A field with its current value. */
export interface OwnGroupChange extends DeviceValue {
  groupId: string;
  field: SetField['field'];
  /** Of the entry, as in `previous` of the next one. */
  entry: string;
  /** The last earlier value of each other device, newest first. */
  history: readonly DeviceValue[];
  /** The value before those of the person's devices. */
  base: FieldValue;
}

interface Row {
  device_id: string;
  value: string;
  base: string;
  history: string;
}

export class OwnGroupChanges {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Adds the fields that entries have set, in the caller's transaction. Those about the person themselves are left out.
   * @param id row of the group
   * @param own the person's address
   */
  add(id: number, accepted: readonly AcceptedEntry[], own: string): void {
    for (const { past, sets } of accepted) {
      // The signer of a ticket is responsible for the join.
      const { by, deviceId } = past.body.ticket ?? { by: past.body.by, deviceId: past.deviceId };
      for (const set of sets) {
        if (set.field.endsWith(`/${own}`)) continue;
        if (by === own) this.#set(id, past.body.epoch, deviceId, set);
        else this.#remove(id, set.field);
      }
    }
  }

  /** Removes all of a group. @param id its row */
  remove(id: number): void {
    this.#db.prepare('DELETE FROM own_group_changes WHERE group_id = ?').run(id);
  }

  /** Changes by a device, newest groups first, in each the newest first. */
  *by(deviceId: string): Generator<OwnGroupChange> {
    const rows = this.#db
      .prepare<[string], Row & Pick<OwnGroupChange, 'groupId' | 'field' | 'entry'>>(
        `SELECT g.group_id AS groupId, c.field, e.hash AS entry, c.device_id, c.value, c.base, c.history
           FROM own_group_changes c JOIN groups g ON g.id = c.group_id
           JOIN group_entries e ON e.group_id = c.group_id AND e.epoch = c.epoch
          WHERE c.device_id = ? ORDER BY c.group_id DESC, c.epoch DESC`,
      )
      .iterate(deviceId);
    for (const { groupId, field, entry, ...row } of rows) yield { groupId, field, entry, ...fromRow(row) };
  }

  #set(id: number, epoch: number, deviceId: string, { field, before, value }: SetField): void {
    const row = this.#db
      .prepare<[number, string], Row>('SELECT * FROM own_group_changes WHERE group_id = ? AND field = ?')
      .get(id, field);
    const current = row && fromRow(row);
    const base = current ? current.base : before;
    const history = current ? earlierThan(deviceId, current) : [];
    if (value === base && history.length === 0) {
      this.#remove(id, field);
      return;
    }
    this.#db
      .prepare('INSERT OR REPLACE INTO own_group_changes VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, field, epoch, deviceId, JSON.stringify(value), JSON.stringify(base), JSON.stringify(history));
  }

  #remove(id: number, field: string): void {
    this.#db.prepare('DELETE FROM own_group_changes WHERE group_id = ? AND field = ?').run(id, field);
  }
}

function fromRow({ device_id, value, base, history }: Row) {
  return {
    deviceId: device_id,
    value: JSON.parse(value) as FieldValue,
    base: JSON.parse(base) as FieldValue,
    history: JSON.parse(history) as DeviceValue[],
  };
}

function earlierThan(
  deviceId: string,
  { value, deviceId: by, history }: Pick<OwnGroupChange, 'value' | 'deviceId' | 'history'>,
): readonly DeviceValue[] {
  if (by === deviceId) return history;
  return [{ value, deviceId: by }, ...history]
    .filter((each) => each.deviceId !== deviceId)
    .slice(0, MAX_EARLIER);
}
