/**
 * Shared settings of the person's devices: registers by key, the greatest version wins (docs/protocol.md,
 * 'Order').
 */
import { isDeepStrictEqual } from 'node:util';
import { isKnownSetting } from '../../messaging/contents/kinds/own.ts';
import { replaces } from '../../messaging/contents/versions.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { MADE_BY_BLOCK } from './conversations.ts';
import type { Cache } from './database.ts';

/** Limit for unknown keys or values; the oldest are dropped. */
const MAX_UNKNOWN = 500;
const MAX_UNKNOWN_BYTES = 512 * 1024;
/** Limit for known values: a broken or stolen own device cannot exceed it. */
const MAX_KNOWN = 10_000;
/**
 * Time for which removed values are remembered, in milliseconds. Longer than the validity of any `own.set` that
 * could restore them.
 */
const REMOVED_FOR = 120 * 24 * 3_600_000;

/** Number of earlier values of a key, one per device. */
const MAX_EARLIER = 4;

/** Key range of mutes. There are few. */
const MUTES = "key >= 'muted/' AND key < 'muted0'";
/** Key range of invite links of the person. */
const INVITES = "key >= 'invite/' AND key < 'invite0'";

/** Version of a value among others of its key. */
export interface OwnVersion {
  sentAt: string;
  /** Id of the message with it: 16 bytes in base64url. */
  id: string;
}

/** The own device that set a value. */
export interface Setter {
  /** Signing device; null: this device. */
  deviceId: string | null;
  /** Original device according to the signer, which repeats the value; null: the signer. */
  by: string | null;
}

/** Set on this device. */
export const HERE: Setter = { deviceId: null, by: null };

export interface EarlierValue extends Setter {
  value: unknown;
}

export interface OwnRegister extends OwnVersion, Setter {
  key: string;
  value: unknown;
  /** Time at which it was set, as in `sentAt`. A repeated value keeps it. */
  setAt: string;
  /** The last earlier value of each other device, newest first. */
  history: EarlierValue[];
  /** True if this version knows the key and the form of the value. */
  isKnown: boolean;
}

interface Row {
  key: string;
  value: string;
  sent_at: string;
  set_at: string;
  uid: Uint8Array;
  known: number;
  device_id: string | null;
  set_by: string | null;
  history: string;
}

function fromRow({ key, value, sent_at, set_at, uid, known, device_id, set_by, history }: Row): OwnRegister {
  return {
    key,
    value: JSON.parse(value),
    sentAt: sent_at,
    setAt: set_at,
    id: encodeBase64Url(new Uint8Array(uid)),
    isKnown: known === 1,
    deviceId: device_id,
    by: set_by,
    history: JSON.parse(history) as EarlierValue[],
  };
}

/** Reports whether a version is later than another one. Both are the person's own. */
export function isLater(version: OwnVersion, than: OwnVersion | null): boolean {
  return replaces({ ...version, sender: '' }, than && { ...than, sender: '' });
}

/**
 * Setter, time and earlier values of a new value. A value repeated for another device has those of the original.
 */
function provenance(
  current: OwnRegister | null,
  value: unknown,
  setter: Setter | null,
  setAt: string,
): Pick<OwnRegister, 'deviceId' | 'by' | 'setAt' | 'history'> {
  if (!current) return { ...(setter ?? HERE), setAt, history: [] };
  const isRepeated = isDeepStrictEqual(current.value, value) && (setter === null || setter.by !== null);
  if (isRepeated || setter === null) return current;
  const { deviceId, by, history } = current;
  if (deviceId === setter.deviceId && by === setter.by) return { ...setter, setAt, history };
  const earlier = current.isKnown ? [{ value: current.value, deviceId, by }, ...history] : history;
  const others = earlier.filter(
    (each, index) =>
      each.deviceId !== setter.deviceId &&
      earlier.findIndex(({ deviceId: one }) => one === each.deviceId) === index,
  );
  return { ...setter, setAt, history: others.slice(0, MAX_EARLIER) };
}

export class OwnRegisters {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  get(key: string): OwnRegister | null {
    const row = this.#db.prepare<[string], Row>('SELECT * FROM own_registers WHERE key = ?').get(key);
    return row ? fromRow(row) : null;
  }

  /** Known value of a key; null for none. */
  valueOf(key: string): unknown {
    const register = this.get(key);
    return register?.isKnown ? register.value : null;
  }

  /**
   * Stores a value if its version is the greatest so far or the current one.
   * @param isDue whether to send it to other devices
   * @param setter null: unchanged, for a repeated value
   * @returns whether it is the current value
   */
  put(key: string, value: unknown, version: OwnVersion, isDue: boolean, setter: Setter | null): boolean {
    const current = this.get(key);
    if (current?.id !== version.id && !isLater(version, current)) return false;
    const { deviceId, by, setAt, history } = provenance(current, value, setter, version.sentAt);
    this.#db
      .prepare(
        `INSERT INTO own_registers (key, value, sent_at, set_at, uid, known, device_id, set_by, history, due)
         VALUES (@key, @value, @sentAt, @setAt, @uid, @known, @deviceId, @by, @history, @due)
         ON CONFLICT (key) DO UPDATE SET value = @value, sent_at = @sentAt, set_at = @setAt, uid = @uid, known = @known,
           device_id = @deviceId, set_by = @by, history = @history, due = @due`,
      )
      .run({
        key,
        value: JSON.stringify(value),
        sentAt: version.sentAt,
        setAt,
        uid: decodeBase64Url(version.id),
        known: isKnownSetting(key, value) ? 1 : 0,
        deviceId,
        by,
        history: JSON.stringify(history),
        due: isDue ? 1 : 0,
      });
    return true;
  }

  /**
   * Deletes rows beyond the limits: long-removed values, the oldest unknown ones, and known ones in equal shares, so that one device
   * does not displace the values of others. Each device that sent values has two: for its own, and for those that it repeats, where
   * the devices that it names have equal parts. In a share, values that replaced those of other devices come first, as the latter can
   * be restored, then those about existing chats, except chats that only a block has made.
   * @returns keys of the deleted known values
   */
  prune(now: number): string[] {
    this.#db
      .prepare("DELETE FROM own_registers WHERE value = 'null' AND due = 0 AND sent_at < ?")
      .run(encodeTime(now - REMOVED_FOR));
    this.#db
      .prepare(
        `DELETE FROM own_registers WHERE key IN (
           SELECT key FROM (
             SELECT key, row_number() OVER newest AS place, sum(length(CAST(key || value AS BLOB))) OVER newest AS total
               FROM own_registers WHERE known = 0 WINDOW newest AS (ORDER BY sent_at DESC, uid DESC, key))
            WHERE place > ? OR total > ?)`,
      )
      .run(MAX_UNKNOWN, MAX_UNKNOWN_BYTES);
    const row = this.#db
      .prepare<[], { count: number }>('SELECT count(*) AS count FROM own_registers WHERE known = 1')
      .get();
    if ((row?.count ?? 0) <= MAX_KNOWN) return [];
    return this.#db
      .prepare<[number], { key: string }>(
        `WITH named AS (
           SELECT p.address AS name FROM conversations c JOIN contacts p ON p.id = c.contact_id
            WHERE NOT (${MADE_BY_BLOCK})
           UNION SELECT g.group_id FROM conversations c JOIN groups g ON g.id = c.group_id),
         placed AS (
           SELECT key, due, device_id, set_by, row_number() OVER (PARTITION BY device_id, set_by
             ORDER BY history <> '[]' DESC, substr(key, instr(key, '/') + 1) IN (SELECT name FROM named) DESC,
               value <> 'null' DESC, sent_at DESC, uid DESC, key) AS place
             FROM own_registers WHERE known = 1),
         shared AS (
           SELECT key, due, row_number() OVER (PARTITION BY device_id, set_by IS NULL ORDER BY place, set_by) AS place
             FROM placed)
         DELETE FROM own_registers WHERE key IN (
           SELECT key FROM shared ORDER BY due DESC, place, key LIMIT -1 OFFSET ?) RETURNING key`,
      )
      .all(MAX_KNOWN)
      .map(({ key }) => key);
  }

  /** Entries to send to other devices, oldest first, grouped by message. */
  due(): (OwnVersion & { entries: { key: string; value: unknown; by?: string }[] })[] {
    const rows = this.#db
      .prepare<[], Row>('SELECT * FROM own_registers WHERE due = 1 ORDER BY sent_at, uid, key')
      .all()
      .map(fromRow);
    return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...more]) =>
      first
        ? [
            {
              sentAt: first.sentAt,
              id: first.id,
              entries: [first, ...more].map(({ key, value, deviceId, by }) => {
                const setBy = by ?? deviceId;
                return { key, value, ...(setBy !== null && { by: setBy }) };
              }),
            },
          ]
        : [],
    );
  }

  /**
   * Marks the entries of a message as delivered, or as not needed without other devices. All of them without
   * an id.
   */
  settle(id: string | null): void {
    if (id === null) this.#db.prepare('UPDATE own_registers SET due = 0 WHERE due = 1').run();
    else
      this.#db.prepare('UPDATE own_registers SET due = 0 WHERE due = 1 AND uid = ?').run(decodeBase64Url(id));
  }

  /** Registers for a newly linked device, oldest first. Removed values are left out. */
  current(): OwnRegister[] {
    return this.#db
      .prepare<[], Row>(
        `SELECT * FROM own_registers WHERE value <> 'null' AND key NOT LIKE 'unread/%' ORDER BY sent_at, uid, key`,
      )
      .all()
      .map(fromRow);
  }

  /**
   * Known values set by other own devices, newest first. Without the seeds of invite links: the links themselves are changes of their
   * groups.
   */
  setElsewhere(): OwnRegister[] {
    return this.#db
      .prepare<[], Row>(
        `SELECT * FROM own_registers WHERE known = 1 AND device_id IS NOT NULL
            AND key NOT LIKE 'unread/%' AND key NOT LIKE 'timer/%' AND key NOT LIKE 'kept/%' AND key NOT LIKE 'link/%'
            AND NOT (${INVITES}) AND key <> 'setting/handle' ORDER BY sent_at DESC, uid DESC, key`,
      )
      .all()
      .map(fromRow);
  }

  /** Invite links of the person that are neither spent nor cancelled. They may have expired. */
  invites(): OwnRegister[] {
    return this.#db
      .prepare<[], Row>(`SELECT * FROM own_registers WHERE ${INVITES} AND known = 1 AND value <> 'null'`)
      .all()
      .map(fromRow);
  }

  /** Keys with seeds of invite links into a group, the newest first. */
  linkSeeds(groupId: string): string[] {
    return this.#db
      .prepare<[string, string], { key: string }>(
        `SELECT key FROM own_registers WHERE key >= ? AND key < ? AND value <> 'null'
          ORDER BY sent_at DESC, uid DESC, key`,
      )
      .all(`link/${groupId}/`, `link/${groupId}0`)
      .map(({ key }) => key);
  }

  /** End of the next mute after a time, in milliseconds since 1970; null for none. */
  nextMuteEnd(after: string): string | null {
    return (
      this.#db
        .prepare<[string], { next: string | null }>(
          `SELECT min(value ->> 'until') AS next FROM own_registers
            WHERE ${MUTES} AND known = 1 AND value ->> 'until' > ?`,
        )
        .get(after)?.next ?? null
    );
  }

  /** Addresses and group ids whose mute ends at a time. */
  mutesEnding(at: string): string[] {
    return this.#db
      .prepare<[string], { name: string }>(
        `SELECT substr(key, length('muted/') + 1) AS name FROM own_registers
          WHERE ${MUTES} AND known = 1 AND value ->> 'until' = ?`,
      )
      .all(at)
      .map(({ name }) => name);
  }

  /** Other own devices that have the shared settings; null before the own list is first read. */
  syncedDevices(): string[] | null {
    const row = this.#db
      .prepare<[], { devices: string | null }>('SELECT synced_devices AS devices FROM identity')
      .get();
    return row?.devices == null ? null : (JSON.parse(row.devices) as string[]);
  }

  saveSyncedDevices(ids: readonly string[]): void {
    this.#db.prepare('UPDATE identity SET synced_devices = ?').run(JSON.stringify(ids));
  }
}
