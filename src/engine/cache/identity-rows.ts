/** The person's own secrets and the registration state of this device: one row, with a table of seal keys. */

import type { OwnProfile } from '../../client/identity/own-profile.ts';
import type { OwnSealKey } from '../../client/identity/own-seal-keys.ts';
import type { RegistrationStore } from '../../client/identity/registration.ts';
import { importEd25519 } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import { DeviceList } from '../../protocol/device-list.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { SealKey } from '../../protocol/seal-key.ts';
import type { Cache } from './database.ts';
import { OwnDevices } from './own-devices.ts';
import { eraseTraces } from './write-ahead-log.ts';

/** Precision of the stored time at which the queue was last read to its end, in milliseconds. */
const END_EVERY = 60_000;

export interface Identity {
  address: string;
  /** secp256k1 private key, 32 bytes. Null if it is not stored here. */
  walletKey: Uint8Array | null;
  phrase: string | null;
  /** Ed25519 seed of this device, 32 bytes. */
  deviceSeed: Uint8Array;
  /** null: the embedded relay, on its current port. */
  relayUrl: string | null;
  handle: string | null;
  displayName: string | null;
  deviceList: DeviceList | null;
  registeredAt: number | null;
}

interface IdentityRow {
  address: string;
  wallet_key: Buffer | null;
  phrase: string | null;
  device_seed: Buffer;
  relay_url: string | null;
  handle: string | null;
  display_name: string | null;
  developer_api: number | null;
  registered_at: number | null;
}

interface SealKeyRow {
  secret: Buffer;
  statement: string;
  created_at: number;
  accepted_at: number | null;
}

/** Number of removed devices whose changes and messages are looked for. */
const MAX_REMOVED = 256;

export class IdentityRows implements RegistrationStore {
  readonly #db: Cache;
  readonly #ownDevices: OwnDevices;
  readonly #now: () => number;
  /** The last list that was parsed, with its text. */
  #newest: { text: string; list: DeviceList } | null = null;

  /** @param now milliseconds since 1970 */
  constructor(db: Cache, now: () => number = Date.now) {
    this.#db = db;
    this.#ownDevices = new OwnDevices(db);
    this.#now = now;
  }

  get(): Identity | null {
    const row = this.#db.prepare<[], IdentityRow>('SELECT * FROM identity').get();
    if (!row) return null;
    return {
      address: row.address,
      walletKey: row.wallet_key && new Uint8Array(row.wallet_key),
      phrase: row.phrase,
      deviceSeed: new Uint8Array(row.device_seed),
      relayUrl: row.relay_url,
      handle: row.handle,
      displayName: row.display_name,
      deviceList: this.newestList(),
      registeredAt: row.registered_at,
    };
  }

  /**
   * Stores a new identity in place of an unfinished one. Seal keys of the same device stay: the relay may
   * have them already.
   */
  replacePending(
    identity: Pick<Identity, 'address' | 'walletKey' | 'phrase' | 'deviceSeed' | 'relayUrl'>,
  ): void {
    this.#db.transaction(() => {
      const pending = this.get();
      if (pending && Buffer.compare(pending.deviceSeed, identity.deviceSeed) !== 0) {
        this.#db.prepare('DELETE FROM seal_keys').run();
      }
      if (pending && pending.address !== identity.address) this.#db.prepare('DELETE FROM own_lists').run();
      this.#db.prepare('DELETE FROM identity WHERE registered_at IS NULL').run();
      this.#db
        .prepare(
          `INSERT INTO identity (one, address, wallet_key, phrase, device_seed, relay_url)
           VALUES (1, @address, @walletKey, @phrase, @deviceSeed, @relayUrl)`,
        )
        .run({ ...identity });
    })();
  }

  /** Deletes the wallet key, also from the free pages of the file. */
  forgetWallet(): void {
    this.#db.prepare('UPDATE identity SET wallet_key = NULL, phrase = NULL').run();
    eraseTraces(this.#db);
  }

  /** The relay of the account; null: the embedded one. */
  relayUrl(): string | null {
    return this.get()?.relayUrl ?? null;
  }

  registeredAt(): number | null {
    return this.get()?.registeredAt ?? null;
  }

  profile(): OwnProfile {
    const row = this.#db
      .prepare<[], Pick<IdentityRow, 'handle' | 'display_name' | 'developer_api'>>(
        'SELECT handle, display_name, developer_api FROM identity',
      )
      .get();
    return {
      handle: row?.handle ?? null,
      displayName: row?.display_name ?? null,
      developerApi: row?.developer_api == null ? null : row.developer_api === 1,
    };
  }

  lists(): DeviceList[] {
    return this.#db
      .prepare<[], { list: string }>('SELECT list FROM own_lists ORDER BY sequence')
      .all()
      .map(({ list }) => DeviceList.parse(JSON.parse(list)));
  }

  newestList(): DeviceList | null {
    const row = this.#db
      .prepare<[], { list: string }>('SELECT list FROM own_lists ORDER BY sequence DESC LIMIT 1')
      .get();
    if (!row) return null;
    // Each message of a backlog compares its number. Callers share the parsed list, and do not change it.
    if (this.#newest?.text !== row.list)
      this.#newest = { text: row.list, list: DeviceList.parse(JSON.parse(row.list)) };
    return this.#newest.list;
  }

  /** Ids of the devices in the person's newest list; null before there is a list. */
  listedDevices(): Set<string> | null {
    const row = this.#db
      .prepare<[], { ids: string }>(
        `SELECT json_group_array(d.value ->> 'deviceId') AS ids FROM json_each(
           (SELECT list FROM own_lists ORDER BY sequence DESC LIMIT 1), '$.devices') d`,
      )
      .get();
    const ids = JSON.parse(row?.ids ?? '[]') as string[];
    return ids.length === 0 ? null : new Set(ids);
  }

  /** Ids of the devices that only earlier lists of the person name, the last removed first; at most {@link MAX_REMOVED}. */
  removedDevices(): string[] {
    return this.#db
      .prepare<[number], { device: string }>(
        `SELECT d.value ->> 'deviceId' AS device, max(sequence) AS last FROM own_lists, json_each(list, '$.devices') d
          GROUP BY device HAVING last < (SELECT max(sequence) FROM own_lists) ORDER BY last DESC, device LIMIT ?`,
      )
      .all(MAX_REMOVED)
      .map(({ device }) => device);
  }

  /** Reports whether the person's current list or an earlier one names a device. */
  hasHadDevice(deviceId: string): boolean {
    return (
      this.#db
        .prepare<[string], unknown>(
          "SELECT 1 FROM own_lists, json_each(list, '$.devices') d WHERE d.value ->> 'deviceId' = ? LIMIT 1",
        )
        .get(deviceId) !== undefined
    );
  }

  /** Id of this device; null before there is one. */
  deviceId(): string | null {
    const row = this.#db
      .prepare<[], Pick<IdentityRow, 'device_seed'>>('SELECT device_seed FROM identity')
      .get();
    return row ? encodeBase64Url(deviceIdOf(importEd25519(new Uint8Array(row.device_seed)).publicKey)) : null;
  }

  addLists(lists: DeviceList[]): void {
    const insert = this.#db.prepare('INSERT OR IGNORE INTO own_lists (sequence, list) VALUES (?, ?)');
    this.#db.transaction(() => {
      for (const list of lists) insert.run(list.sequence, JSON.stringify(list));
      const own = this.deviceId();
      if (own !== null) this.#ownDevices.see(lists, own, this.#now());
    })();
  }

  markRegistered(now: number): void {
    this.#db.prepare('UPDATE identity SET registered_at = coalesce(registered_at, ?)').run(now);
  }

  retention(): number | null {
    return (
      this.#db.prepare<[], { retention: number | null }>('SELECT retention FROM identity').get()?.retention ??
      null
    );
  }

  /** Time at which the queue was last read to its end, in milliseconds since 1970; null for never. */
  lastEnd(): number | null {
    const row = this.#db.prepare<[], { at: number | null }>('SELECT read_to_end AS at FROM identity').get();
    return row?.at ?? null;
  }

  /** Stores the time at which the queue was read to its end. Skipped if the stored time is recent. */
  saveLastEnd(at: number): void {
    this.#db
      .prepare(
        'UPDATE identity SET read_to_end = @at WHERE read_to_end IS NULL OR abs(@at - read_to_end) >= @every',
      )
      .run({ at, every: END_EVERY });
  }

  saveRetention(retention: number): void {
    this.#db.prepare('UPDATE identity SET retention = ?').run(retention);
  }

  saveProfile({ handle, displayName, developerApi }: OwnProfile): void {
    this.#db
      .prepare('UPDATE identity SET handle = ?, display_name = ?, developer_api = ?')
      .run(handle, displayName, developerApi === null ? null : Number(developerApi));
  }

  /**
   * Own seal keys, newest first. The first is announced; older ones still open envelopes that were sealed to
   * them.
   */
  sealKeys(): OwnSealKey[] {
    return this.#db
      .prepare<[], SealKeyRow>(
        'SELECT secret, statement, created_at, accepted_at FROM seal_keys ORDER BY sequence DESC',
      )
      .all()
      .map((row) => ({
        secret: new Uint8Array(row.secret),
        statement: SealKey.parse(JSON.parse(row.statement)),
        createdAt: row.created_at,
        acceptedAt: row.accepted_at,
      }));
  }

  addSealKey(key: OwnSealKey): void {
    this.#db
      .prepare(
        `INSERT INTO seal_keys (sequence, secret, public_key, statement, created_at, accepted_at)
         VALUES (@sequence, @secret, @publicKey, @statement, @createdAt, @acceptedAt)`,
      )
      .run({
        sequence: key.statement.sequence,
        secret: key.secret,
        publicKey: key.statement.key,
        statement: JSON.stringify(key.statement),
        createdAt: key.createdAt,
        acceptedAt: key.acceptedAt,
      });
  }

  markSealKeyAccepted(sequence: number, now: number): void {
    this.#db.prepare('UPDATE seal_keys SET accepted_at = ? WHERE sequence = ?').run(now, sequence);
  }

  eraseSealKeys(sequences: number[]): void {
    const erase = this.#db.prepare('DELETE FROM seal_keys WHERE sequence = ?');
    this.#db.transaction(() => {
      for (const sequence of sequences) erase.run(sequence);
    })();
  }
}
