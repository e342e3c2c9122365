/**
 * People as this device knows them: directory data, and the pinned device list that the wallet signed.
 */
import { DeviceList } from '../../protocol/device-list.ts';
import { SealKey } from '../../protocol/seal-key.ts';
import type { StoredPerson } from './conversations.ts';
import type { Cache } from './database.ts';

export interface Contact {
  id: number;
  address: string;
  handle: string | null;
  displayName: string | null;
  handleVerified: boolean;
  deviceList: DeviceList | null;
  /** Proven against `deviceList` when they were fetched. */
  sealKeys: SealKey[];
  fetchedAt: number;
  firstSeenAt: number;
}

export interface ContactRow {
  id: number;
  address: string;
  handle: string | null;
  display_name: string | null;
  handle_verified: number;
  device_list: string | null;
  seal_keys: string;
  fetched_at: number;
  first_seen_at: number;
}

function fromRow(row: ContactRow): Contact {
  return {
    id: row.id,
    address: row.address,
    handle: row.handle,
    displayName: row.display_name,
    handleVerified: row.handle_verified === 1,
    deviceList: row.device_list === null ? null : DeviceList.parse(JSON.parse(row.device_list)),
    sealKeys: SealKey.array().parse(JSON.parse(row.seal_keys)),
    fetchedAt: row.fetched_at,
    firstSeenAt: row.first_seen_at,
  };
}

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

  /** Who an address is, without its devices: for lists. */
  profile(address: string): StoredPerson {
    const row = this.#db
      .prepare<[string], Pick<ContactRow, 'handle' | 'display_name' | 'handle_verified'>>(
        'SELECT handle, display_name, handle_verified FROM contacts WHERE address = ?',
      )
      .get(address);
    return {
      address,
      handle: row?.handle ?? null,
      displayName: row?.display_name ?? null,
      handleVerified: row?.handle_verified === 1,
    };
  }

  /** The contact of an address, made if there is none. */
  ensure(address: string, now: number): Contact {
    this.#db
      .prepare('INSERT OR IGNORE INTO contacts (address, first_seen_at) VALUES (?, ?)')
      .run(address, now);
    const contact = this.find(address);
    if (!contact) throw new Error('a contact that was just inserted is missing');
    return contact;
  }

  /** Remembers what the directory says about a handle; takes the handle from whoever had it before. */
  saveProfile(profile: {
    address: string;
    handle: string;
    displayName: string | null;
    verified: boolean;
  }): void {
    this.#db.transaction(() => {
      this.#db
        .prepare('UPDATE contacts SET handle = NULL, handle_verified = 0 WHERE handle = ? AND address <> ?')
        .run(profile.handle, profile.address);
      this.#db
        .prepare('UPDATE contacts SET handle = ?, display_name = ?, handle_verified = ? WHERE address = ?')
        .run(profile.handle, profile.displayName, profile.verified ? 1 : 0, profile.address);
    })();
  }

  /** The person has, or has not, held the address against the one that its owner gave them. */
  setVerified(address: string, at: number | null): void {
    this.#db.prepare('UPDATE contacts SET verified_at = ? WHERE address = ?').run(at, address);
  }

  /** Takes the next number for an own payload to this contact. It never starts again, whatever is deleted here. */
  takeSeq(address: string): number {
    const row = this.#db
      .prepare<[string], { seq: number }>(
        'UPDATE contacts SET next_seq = next_seq + 1 WHERE address = ? RETURNING next_seq - 1 AS seq',
      )
      .get(address);
    if (!row) throw new Error('no such contact');
    return row.seq;
  }

  /** Pins a device list and the seal keys proven against it. */
  saveKeys(address: string, list: DeviceList, sealKeys: SealKey[], now: number): void {
    this.#db
      .prepare(
        `UPDATE contacts SET list_sequence = @sequence, device_list = @list, seal_keys = @sealKeys, fetched_at = @now
         WHERE address = @address AND list_sequence <= @sequence`,
      )
      .run({
        address,
        sequence: list.sequence,
        list: JSON.stringify(list),
        sealKeys: JSON.stringify(sealKeys),
        now,
      });
  }
}
