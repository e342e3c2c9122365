/**
 * People as this device knows them: directory data, and the pinned device list that the wallet signed. Their profiles belong in
 * ./faces.ts, and rules about their keys in src/messaging/trust.
 */

import { isDeepStrictEqual } from 'node:util';
import { toSearchText } from '../../base/search-text.ts';
import { replaces, type Version } from '../../messaging/contents/versions.ts';
import type { AddressTrust } from '../../messaging/trust/address-trust.ts';
import type { FetchedKeys } from '../../messaging/trust/directory.ts';
import { BoundedMap } from '../../protocol/bounded-map.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { toLabel } from '../../protocol/label.ts';
import { SealKey } from '../../protocol/seal-key.ts';
import type { StoredPerson } from './conversations.ts';
import type { Cache } from './database.ts';
import { DISPLAY_NAME, PICTURE } from './faces.ts';
import { HERE, type Setter } from './own-registers.ts';

/** Rows that a search for a name reads at most: a few milliseconds. */
const MAX_LOOKED_AT = 10_000;

export interface Contact {
  id: number;
  address: string;
  handle: string | null;
  displayName: string | null;
  handleVerified: boolean;
  /** The pinned list: the newest one proven. */
  deviceList: DeviceList | null;
  /** Proven at fetch time, for devices in `deviceList` only. The list may have changed since. */
  sealKeys: SealKey[];
  fetchedAt: number;
  firstSeenAt: number;
}

/** Names of an address as the directory has them. */
interface DirectoryProfile {
  address: string;
  handle: string;
  displayName: string | null;
  verified: boolean;
}

/** A row of someone other than the person. */
const IS_OTHER = 'address NOT IN (SELECT address FROM identity)';

/** The disappearing-message timer of a direct conversation, with its version. */
export interface StoredTimer extends Version {
  /** 0 for never. */
  seconds: number;
}

/** Number of earlier timers of a conversation, one for each device. */
const MAX_EARLIER_TIMERS = 5;

/** Without a device: set here, set by the partner, or never set. */
interface EarlierTimer extends Setter {
  /** 0 for never. */
  seconds: number;
}

interface TimerElsewhere extends Setter {
  address: string;
  seconds: number;
  /** Newest first. */
  history: EarlierTimer[];
}

export interface ContactRow {
  id: number;
  address: string;
  handle: string | null;
  display_name: string | null;
  handle_verified: number;
  mark_lost: number;
  trust: string | null;
  seal_keys: string;
  fetched_at: number;
  first_seen_at: number;
}

function fromRow(row: ContactRow): Contact {
  const deviceList = parseTrust(row.trust)?.list ?? null;
  const listed = new Set(deviceList?.devices.map(({ deviceId }) => deviceId));
  const sealKeys = parseSealKeys(row.seal_keys);
  return {
    id: row.id,
    address: row.address,
    handle: row.handle,
    displayName: row.display_name,
    handleVerified: row.handle_verified === 1,
    deviceList,
    sealKeys: sealKeys.filter(({ deviceId }) => listed.has(deviceId)),
    fetchedAt: row.fetched_at,
    firstSeenAt: row.first_seen_at,
  };
}

/** Parsed texts of the last contacts. Each message of a backlog needs those of its sender. */
const MAX_PARSED = 32;

/** Parses a text again only if it is not one of the last. Callers share the result, and do not change it. */
function remembered<T>(parse: (text: string) => T): (text: string) => T {
  const known = new BoundedMap<string, { value: T }>(MAX_PARSED);
  return (text) => {
    const found = known.get(text);
    if (found) return found.value;
    const value = parse(text);
    known.set(text, { value });
    return value;
  };
}

// The stored JSON was validated before it was written.
const parseKnownTrust = remembered((text) => JSON.parse(text) as AddressTrust);
const parseTrust = (text: string | null) => (text === null ? null : parseKnownTrust(text));
const parseSealKeys = remembered((text) => SealKey.array().parse(JSON.parse(text)));

export class Contacts {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  find(address: string): Contact | null {
    const row = this.#db
      .prepare<[string], ContactRow>('SELECT * FROM contacts WHERE address = ?')
      .get(address);
    return row ? fromRow(row) : null;
  }

  /** Reports whether the person has deleted an accepted chat with an address, here or at the source of a history. */
  hadChat(address: string): boolean {
    const row = this.#db
      .prepare<[string], { had: number }>('SELECT had_chat AS had FROM contacts WHERE address = ?')
      .get(address);
    return row !== undefined && row.had !== 0;
  }

  /** Timer of the direct conversation with an address; null if never set. */
  timer(address: string): StoredTimer | null {
    const row = this.#db
      .prepare<[string], { timer: string | null }>('SELECT timer FROM contacts WHERE address = ?')
      .get(address);
    return row?.timer == null ? null : (JSON.parse(row.timer) as StoredTimer);
  }

  /**
   * @param setter the other own device that set it; {@link HERE} also if the partner did
   * @returns whether it replaced the stored value
   */
  setTimer(address: string, timer: StoredTimer, setter: Setter = HERE): boolean {
    const current = this.timer(address);
    if (!replaces(timer, current)) return false;
    const { deviceId, by } = setter;
    const history = JSON.stringify(this.#timersBefore(address, current, setter));
    const { changes } = this.#db
      .prepare(
        `UPDATE contacts SET timer = @timer, timer_device = @deviceId, timer_by = @by, timer_history = @history
          WHERE address = @address`,
      )
      .run({ address, timer: JSON.stringify(timer), deviceId, by, history });
    return changes > 0;
  }

  /**
   * The earlier values for one of another own device: devices that are removed together must not hide the value before all
   * of them.
   */
  #timersBefore(address: string, current: StoredTimer | null, { deviceId, by }: Setter): EarlierTimer[] {
    if (deviceId === null) return [];
    const row = this.#db
      .prepare<[string], Setter & { history: string }>(
        'SELECT timer_device AS deviceId, timer_by AS by, timer_history AS history FROM contacts WHERE address = ?',
      )
      .get(address);
    const history = JSON.parse(row?.history ?? '[]') as EarlierTimer[];
    if (row?.deviceId === deviceId && row.by === by) return history;
    const last = { seconds: current?.seconds ?? 0, deviceId: row?.deviceId ?? null, by: row?.by ?? null };
    const others = history.filter((each) => each.deviceId !== deviceId && each.deviceId !== last.deviceId);
    return [last, ...others].slice(0, MAX_EARLIER_TIMERS);
  }

  /** Timers set by other own devices, newest first. */
  timersElsewhere(): TimerElsewhere[] {
    return this.#db
      .prepare<[], Omit<TimerElsewhere, 'history'> & { history: string }>(
        `SELECT address, timer ->> 'seconds' AS seconds, timer_device AS deviceId, timer_by AS by, timer_history AS history
          FROM contacts WHERE timer_device IS NOT NULL ORDER BY timer ->> 'sentAt' DESC, id`,
      )
      .all()
      .map((row) => ({ ...row, history: JSON.parse(row.history) as EarlierTimer[] }));
  }

  /** All timers that were ever set. */
  timers(): { address: string; timer: StoredTimer }[] {
    return this.#db
      .prepare<[], { address: string; timer: string }>(
        'SELECT address, timer FROM contacts WHERE timer IS NOT NULL ORDER BY id',
      )
      .all()
      .map(({ address, timer }) => ({ address, timer: JSON.parse(timer) as StoredTimer }));
  }

  /** The highest number of an own payload to an address; 0 for none. */
  lastSeq(address: string): number {
    const row = this.#db
      .prepare<[string], { seq: number }>('SELECT next_seq - 1 AS seq FROM contacts WHERE address = ?')
      .get(address);
    return row?.seq ?? 0;
  }

  /** Profile of an address, without its devices: for lists. */
  profile(address: string): StoredPerson {
    const [person] = this.profiles([address]);
    if (!person) throw new Error('an address without its person');
    return person;
  }

  /** Addresses of known people, the last added first, at most `limit`. */
  addresses(limit: number): string[] {
    return this.#db
      .prepare<[number], { address: string }>('SELECT address FROM contacts ORDER BY id DESC LIMIT ?')
      .all(limit)
      .map(({ address }) => address);
  }

  /** Profiles of many addresses, in the same order. */
  profiles(addresses: readonly string[]): StoredPerson[] {
    return this.#db
      .prepare<
        [string],
        Pick<ContactRow, 'address' | 'handle' | 'display_name' | 'handle_verified'> & {
          nickname: string | null;
          picture: number | null;
        }
      >(
        `SELECT a.value AS address, p.handle, ${DISPLAY_NAME} AS display_name, ${PICTURE} AS picture,
             coalesce(p.handle_verified, 0) AS handle_verified, (
             SELECT value FROM own_registers WHERE key = 'nickname/' || a.value AND known = 1 AND value <> 'null') AS nickname
           FROM json_each(?) a LEFT JOIN contacts p ON p.address = a.value
             LEFT JOIN faces f ON f.owner = a.value ORDER BY a.key`,
      )
      .all(JSON.stringify(addresses))
      .map((row) => ({
        address: row.address,
        handle: row.handle,
        displayName: row.display_name,
        nickname: row.nickname === null ? null : (JSON.parse(row.nickname) as string),
        handleVerified: row.handle_verified === 1,
        pictureId: row.picture,
      }));
  }

  /**
   * People whose handle, display name or nickname contains a text, regardless of case and accents. Newest
   * rows first, at most `most`, without blocked people.
   */
  named(text: string, most: number): StoredPerson[] {
    const wanted = toSearchText(text);
    const rows = this.#db
      .prepare<
        [number],
        Pick<ContactRow, 'address' | 'handle' | 'display_name' | 'handle_verified'> & {
          nickname: string | null;
          picture: number | null;
        }
      >(
        `SELECT * FROM (
           SELECT p.id, p.address, p.handle, ${DISPLAY_NAME} AS display_name, ${PICTURE} AS picture, p.handle_verified, (
               SELECT value FROM own_registers
                WHERE key = 'nickname/' || p.address AND known = 1 AND value <> 'null') AS nickname
             FROM contacts p LEFT JOIN faces f ON f.owner = p.address
            WHERE NOT EXISTS (SELECT 1 FROM conversations c WHERE c.contact_id = p.id AND c.state = 'blocked'))
         WHERE handle IS NOT NULL OR display_name IS NOT NULL OR nickname IS NOT NULL ORDER BY id DESC LIMIT ?`,
      )
      .iterate(MAX_LOOKED_AT);
    const found: StoredPerson[] = [];
    for (const {
      address,
      handle,
      display_name: displayName,
      handle_verified: verified,
      nickname: given,
      picture: pictureId,
    } of rows) {
      const nickname = given === null ? null : (JSON.parse(given) as string);
      const isCalled = [handle, displayName, nickname].some(
        (name) => name && toSearchText(name).includes(wanted),
      );
      if (isCalled)
        found.push({ address, handle, displayName, nickname, handleVerified: verified === 1, pictureId });
      if (found.length === most) break;
    }
    return found;
  }

  /** Row id of the contact of an address, made if there is none. */
  idOf(address: string, now: number): number {
    const found = this.#db
      .prepare<[string], { id: number }>('SELECT id FROM contacts WHERE address = ?')
      .get(address);
    if (found) return found.id;
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO contacts (address, first_seen_at) VALUES (?, ?)')
      .run(address, now);
    return Number(lastInsertRowid);
  }

  /** The contact of an address, made if there is none. */
  ensure(address: string, now: number): Contact {
    this.idOf(address, now);
    const contact = this.find(address);
    if (!contact) throw new Error('a contact that was just inserted is missing');
    return contact;
  }

  /**
   * Stores the person's own handle and name as their identity has them: no answer about others changes these. A mark of the own
   * handle that was lost is not withheld: the person sees it alone.
   * @returns addresses of the people with another name now
   */
  saveOwn({ address, handle, displayName, verified }: DirectoryProfile): string[] {
    const own = {
      handle,
      display_name: toLabel(displayName ?? '') || null,
      handle_verified: verified ? 1 : 0,
    };
    return this.#db.transaction(() => {
      const changed = this.#loseHandles('handle = @handle', { handle });
      const row = this.#db
        .prepare<[string], typeof own>(
          'SELECT handle, display_name, handle_verified FROM contacts WHERE address = ?',
        )
        .get(address);
      if (!row || isDeepStrictEqual({ ...row }, own)) return changed;
      this.#db
        .prepare(
          `UPDATE contacts SET handle = @handle, display_name = @display_name, handle_verified = @handle_verified, mark_lost = 0
            WHERE address = @address`,
        )
        .run({ ...own, address });
      return [...changed, address];
    })();
  }

  /**
   * Stores the directory's answer about the handle of someone else, and removes the handle from its former owner. A mark that an address has
   * lost returns only if the person asked for the handle: otherwise a relay could show and hide it unseen.
   * @param isRequested true if the person looked up this handle
   * @returns addresses of the people with another name now
   */
  saveProfile(profile: DirectoryProfile, isRequested = false): string[] {
    const { address, handle } = profile;
    const displayName = toLabel(profile.displayName ?? '') || null;
    return this.#db.transaction(() => {
      const changed = this.#loseHandles('handle = @handle AND address <> @address', { address, handle });
      const [before] = this.#db
        .prepare<[string], Pick<ContactRow, 'handle' | 'display_name' | 'handle_verified' | 'mark_lost'>>(
          `SELECT handle, display_name, handle_verified, mark_lost FROM contacts WHERE address = ? AND ${IS_OTHER}`,
        )
        .all(address);
      if (!before) return changed;
      const hasLost = before.handle_verified === 1 && (before.handle !== handle || !profile.verified);
      const isWithheld = !isRequested && (before.mark_lost === 1 || hasLost);
      const verified = profile.verified && !isWithheld ? 1 : 0;
      const lost = verified === 0 && (before.mark_lost === 1 || hasLost) ? 1 : 0;
      const after = { handle, display_name: displayName, handle_verified: verified, mark_lost: lost };
      if (isDeepStrictEqual({ ...before }, after)) return changed;
      this.#db
        .prepare(
          `UPDATE contacts SET handle = @handle, display_name = @display_name, handle_verified = @handle_verified,
             mark_lost = @mark_lost WHERE address = @address`,
        )
        .run({ ...after, address });
      return [...changed, address];
    })();
  }

  /**
   * Removes the handle of an address that the directory shows without one.
   * @returns addresses of the people with another name now
   */
  loseHandleOf(address: string): string[] {
    return this.#loseHandles('handle IS NOT NULL AND address = @address', { address });
  }

  /**
   * Removes a handle that the directory does not know from its former owner.
   * @returns addresses of the people with another name now
   */
  loseHandle(handle: string): string[] {
    return this.#loseHandles('handle = @handle', { handle });
  }

  /** Removes the mark of a verified handle as another computer of the person has: it returns only with a look-up. */
  loseMark(address: string): void {
    this.#db
      .prepare(`UPDATE contacts SET handle_verified = 0, mark_lost = 1 WHERE address = ? AND ${IS_OTHER}`)
      .run(address);
  }

  #loseHandles(where: string, values: { address?: string; handle?: string }): string[] {
    return this.#db
      .prepare<typeof values, { address: string }>(
        `UPDATE contacts SET handle = NULL, handle_verified = 0, mark_lost = max(mark_lost, handle_verified)
          WHERE ${where} AND ${IS_OTHER} RETURNING address`,
      )
      .all(values)
      .map(({ address }) => address);
  }

  /** Reserves the next payload number for this contact. Deleting a chat does not reset it. */
  reserveSeq(address: string): number {
    const row = this.#db
      .prepare<[string], { seq: number }>(
        'UPDATE contacts SET next_seq = next_seq + 1 WHERE address = ? RETURNING next_seq - 1 AS seq',
      )
      .get(address);
    if (!row) throw new Error('no such contact');
    return row.seq;
  }

  /** Stored trust in the device lists and seal keys of an address; null if none was seen. */
  trust(address: string): AddressTrust | null {
    const row = this.#db
      .prepare<[string], Pick<ContactRow, 'trust'>>('SELECT trust FROM contacts WHERE address = ?')
      .get(address);
    return parseTrust(row?.trust ?? null);
  }

  saveTrust(address: string, trust: AddressTrust, now: number): void {
    this.#db
      .prepare(
        `INSERT INTO contacts (address, trust, first_seen_at) VALUES (@address, @trust, @now)
         ON CONFLICT (address) DO UPDATE SET trust = excluded.trust`,
      )
      .run({ address, trust: JSON.stringify(trust), now });
  }

  /** The last proven seal keys of an address; null before the first fetch. */
  fetchedKeys(address: string): FetchedKeys | null {
    const row = this.#db
      .prepare<[string], Pick<ContactRow, 'seal_keys' | 'fetched_at'>>(
        'SELECT seal_keys, fetched_at FROM contacts WHERE address = ?',
      )
      .get(address);
    return row ? { sealKeys: SealKey.array().parse(JSON.parse(row.seal_keys)), at: row.fetched_at } : null;
  }

  /** Stores the usable seal keys, proven against the pinned list. */
  saveSealKeys(address: string, { sealKeys, at }: FetchedKeys): void {
    this.#db
      .prepare(
        `INSERT INTO contacts (address, seal_keys, fetched_at, first_seen_at) VALUES (@address, @keys, @at, @at)
         ON CONFLICT (address) DO UPDATE SET seal_keys = @keys, fetched_at = @at`,
      )
      .run({ address, keys: JSON.stringify(sealKeys), at });
  }
}
