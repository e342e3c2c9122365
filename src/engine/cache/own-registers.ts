/**
 * What the devices of the person share: registers by key, of which the greatest version stands (docs/protocol.md, 'Order').
 */
import { isDeepStrictEqual } from 'node:util';
import { isKnownSetting } from '../../messaging/contents/kinds/own.ts';
import { replaces } from '../../messaging/contents/versions.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';

/** Of keys or values that this version does not know; the oldest are dropped. */
const MOST_UNKNOWN = 500;
const MOST_UNKNOWN_BYTES = 512 * 1024;
/** Of those that it knows: what an own device that is broken or stolen can make this one keep. */
const MOST_KNOWN = 10_000;
/** Longer than any `own.set` counts that could bring back what was taken away, in milliseconds. */
const REMOVED_FOR = 120 * 24 * 3_600_000;

/** Earlier values of a key, one of each device. */
const MOST_EARLIER = 4;

/** The keys of mutes, which are few: a range of the table. */
const MUTES = "key >= 'muted/' AND key < 'muted0'";

/** What orders a value among others of its key. */
export interface OwnVersion {
  sentAt: string;
  /** Of the message that brings it: 16 bytes in base64url. */
  id: string;
}

/** Which own device set a value. */
export interface Setter {
  /** That signed it; null: this device. */
  deviceId: string | null;
  /** That set it first, by the word of the signer, which repeats it; null: the signer. */
  by: string | null;
}

/** Set in this app. */
export const HERE: Setter = { deviceId: null, by: null };

export interface EarlierValue extends Setter {
  value: unknown;
}

export interface OwnRegister extends OwnVersion, Setter {
  key: string;
  value: unknown;
  /** The last value of each other device before, newest first. */
  history: EarlierValue[];
  /** Whether this version knows the key and such a value. */
  isKnown: boolean;
}

interface Row {
  key: string;
  value: string;
  sent_at: string;
  uid: Uint8Array;
  known: number;
  device_id: string | null;
  set_by: string | null;
  history: string;
}

function fromRow({ key, value, sent_at, uid, known, device_id, set_by, history }: Row): OwnRegister {
  return {
    key,
    value: JSON.parse(value),
    sentAt: sent_at,
    id: encodeBase64Url(new Uint8Array(uid)),
    isKnown: known === 1,
    deviceId: device_id,
    by: set_by,
    history: JSON.parse(history) as EarlierValue[],
  };
}

/** Whether a version is later than another one; all are the person's own. */
export function isLater(version: OwnVersion, than: OwnVersion | null): boolean {
  return replaces({ ...version, sender: '' }, than && { ...than, sender: '' });
}

/** Who set the value that is put, and the values before. What is repeated for another device keeps both. */
function provenance(
  current: OwnRegister | null,
  value: unknown,
  setter: Setter | null,
): Setter & { history: EarlierValue[] } {
  if (!current) return { ...(setter ?? HERE), history: [] };
  const isRepeated = isDeepStrictEqual(current.value, value) && (setter === null || setter.by !== null);
  if (isRepeated || setter === null) return current;
  const { deviceId, by, history } = current;
  if (deviceId === setter.deviceId && by === setter.by) return { ...setter, history };
  const earlier = current.isKnown ? [{ value: current.value, deviceId, by }, ...history] : history;
  const others = earlier.filter(
    (each, index) =>
      each.deviceId !== setter.deviceId &&
      earlier.findIndex(({ deviceId: one }) => one === each.deviceId) === index,
  );
  return { ...setter, history: others.slice(0, MOST_EARLIER) };
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

  /** The value of a key that this version knows; null where none is set. */
  valueOf(key: string): unknown {
    const register = this.get(key);
    return register?.isKnown ? register.value : null;
  }

  /**
   * Sets a key where the version is the greatest so far, or the one that stands.
   * @param isDue whether other devices are to be told
   * @param setter null: the same as before, whose value is repeated
   * @returns whether it stands now
   */
  put(key: string, value: unknown, version: OwnVersion, isDue: boolean, setter: Setter | null): boolean {
    const current = this.get(key);
    if (current?.id !== version.id && !isLater(version, current)) return false;
    const { deviceId, by, history } = provenance(current, value, setter);
    this.#db
      .prepare(
        `INSERT INTO own_registers (key, value, sent_at, uid, known, device_id, set_by, history, due)
         VALUES (@key, @value, @sentAt, @uid, @known, @deviceId, @by, @history, @due)
         ON CONFLICT (key) DO UPDATE SET value = @value, sent_at = @sentAt, uid = @uid, known = @known,
           device_id = @deviceId, set_by = @by, history = @history, due = @due`,
      )
      .run({
        key,
        value: JSON.stringify(value),
        sentAt: version.sentAt,
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
   * Drops what is more than this device keeps: what was taken away long ago, the oldest of what is not known, and of what
   * is known the oldest that is not about anyone here.
   */
  prune(now: number): void {
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
      .run(MOST_UNKNOWN, MOST_UNKNOWN_BYTES);
    const row = this.#db
      .prepare<[], { count: number }>('SELECT count(*) AS count FROM own_registers WHERE known = 1')
      .get();
    if ((row?.count ?? 0) <= MOST_KNOWN) return;
    this.#db
      .prepare(
        `WITH named AS (
           SELECT p.address AS name FROM conversations c JOIN contacts p ON p.id = c.contact_id
           UNION SELECT g.group_id FROM conversations c JOIN groups g ON g.id = c.group_id)
         DELETE FROM own_registers WHERE key IN (
           SELECT key FROM own_registers WHERE known = 1
            ORDER BY due DESC, substr(key, instr(key, '/') + 1) IN (SELECT name FROM named) DESC, value <> 'null' DESC,
              sent_at DESC, uid DESC, key LIMIT -1 OFFSET ?)`,
      )
      .run(MOST_KNOWN);
  }

  /** What other devices are to be told, oldest first: of each message its entries that still stand. */
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

  /** Other devices have a message, or there are none: nothing of it is due any more. Of all, without an id. */
  settle(id: string | null): void {
    if (id === null) this.#db.prepare('UPDATE own_registers SET due = 0 WHERE due = 1').run();
    else
      this.#db.prepare('UPDATE own_registers SET due = 0 WHERE due = 1 AND uid = ?').run(decodeBase64Url(id));
  }

  /** What a device has to know that has just joined, oldest first. What was taken away is not set there, either. */
  standing(): OwnRegister[] {
    return this.#db
      .prepare<[], Row>(
        `SELECT * FROM own_registers WHERE value <> 'null' AND key NOT LIKE 'unread/%' ORDER BY sent_at, uid, key`,
      )
      .all()
      .map(fromRow);
  }

  /** What other own devices set, of what this version knows, newest first. */
  setElsewhere(): OwnRegister[] {
    return this.#db
      .prepare<[], Row>(
        `SELECT * FROM own_registers WHERE known = 1 AND device_id IS NOT NULL
            AND key NOT LIKE 'unread/%' AND key NOT LIKE 'timer/%' ORDER BY sent_at DESC, uid DESC, key`,
      )
      .all()
      .map(fromRow);
  }

  /** When the next mute ends after a time, in milliseconds since 1970; null if none does. */
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

  /** Addresses and ids of groups whose mute ends at a time. */
  mutesEnding(at: string): string[] {
    return this.#db
      .prepare<[string], { name: string }>(
        `SELECT substr(key, length('muted/') + 1) AS name FROM own_registers
          WHERE ${MUTES} AND known = 1 AND value ->> 'until' = ?`,
      )
      .all(at)
      .map(({ name }) => name);
  }

  /** Other own devices that have what is shared; null before the first look at the own list. */
  toldDevices(): string[] | null {
    const row = this.#db
      .prepare<[], { told: string | null }>('SELECT told_devices AS told FROM identity')
      .get();
    return row?.told == null ? null : (JSON.parse(row.told) as string[]);
  }

  saveToldDevices(ids: readonly string[]): void {
    this.#db.prepare('UPDATE identity SET told_devices = ?').run(JSON.stringify(ids));
  }
}
