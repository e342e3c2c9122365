/**
 * Writes of device lists and seal keys. Their proofs were checked before; what is checked here is what another
 * request may have changed since: that a list follows, that a sequence rises, that a key is nobody else's.
 */
import { decodeTime } from '../../../../protocol/encoding.ts';
import type { SealKey } from '../../../../protocol/seal-key.ts';
import type { AccountKey, DevicesPublication, DroppedDevices, PublishOutcome } from '../../store.ts';
import type { Database } from '../database.ts';
import { toBlob, toText } from '../values.ts';
import type { Audit } from './audit.ts';
import { deliveryRows } from './delivery-rows.ts';

interface DeviceRow {
  id: number;
  device_id: Buffer;
  seal_key: Buffer;
  seal_sequence: number;
  seal_statement: string;
}

/** Retired seal keys of one account that are known as such: of sixteen devices that rotate each day, for two months. */
const MOST_RETIRED_KEYS = 1_000;

type SealKeyChange = 'same' | 'next' | 'conflict';

export function deviceWrites(database: Database, audit: Audit) {
  const rows = deliveryRows(database);
  const readList = database.prepare<[number], { sequence: number; list: string }>(
    'SELECT sequence, list FROM device_list WHERE account_id = ? ORDER BY sequence DESC LIMIT 1',
  );
  const insertList = database.prepare(
    'INSERT INTO device_list (account_id, sequence, list, issued_at, published_at) VALUES (?, ?, ?, ?, ?)',
  );
  const readDevices = database.prepare<[number], DeviceRow>(
    'SELECT id, device_id, seal_key, seal_sequence, seal_statement FROM device WHERE account_id = ?',
  );
  const findByKey = database.prepare<[Buffer], { id: number }>('SELECT id FROM device WHERE seal_key = ?');
  const insertDevice = database.prepare(
    `INSERT INTO device (account_id, device_id, seal_key, seal_sequence, expires_at, seal_statement)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const updateKey = database.prepare(
    'UPDATE device SET seal_key = ?, seal_sequence = ?, expires_at = ?, seal_statement = ? WHERE id = ?',
  );
  const insertRetired = database.prepare('INSERT OR REPLACE INTO retired_key VALUES (?, ?, ?)');
  const forgetRetired = database.prepare(
    `DELETE FROM retired_key WHERE seal_key IN
       (SELECT seal_key FROM retired_key WHERE account_id = ?
         ORDER BY retired_at DESC LIMIT -1 OFFSET ${MOST_RETIRED_KEYS})`,
  );
  const deleteDevice = database.prepare('DELETE FROM device WHERE id = ?');
  const deleteSessions = database.prepare<[number, Buffer], { public_id: string }>(
    "DELETE FROM credential WHERE account_id = ? AND type = 'session' AND device_id = ? RETURNING public_id",
  );

  const deleteWalletSessions = database.prepare<[number, string], { public_id: string }>(
    `DELETE FROM credential WHERE account_id = ? AND type = 'session' AND device_id IS NULL AND public_id <> ?
     RETURNING public_id`,
  );

  function retire(key: Buffer, account: AccountKey, now: number): void {
    insertRetired.run(key, account, now);
    forgetRetired.run(account);
  }

  function judgeSealKey(device: DeviceRow | undefined, sealKey: SealKey): SealKeyChange {
    const key = toBlob(sealKey.key);
    if (device?.seal_key.equals(key) && device.seal_sequence === sealKey.sequence) return 'same';
    if (device && sealKey.sequence <= device.seal_sequence) return 'conflict';
    const holder = findByKey.get(key);
    return holder && holder.id !== device?.id ? 'conflict' : 'next';
  }

  function saveSealKey(
    account: AccountKey,
    device: DeviceRow | undefined,
    sealKey: SealKey,
    now: number,
  ): void {
    const key = toBlob(sealKey.key);
    const expiresAt = decodeTime(sealKey.notAfter);
    const statement = JSON.stringify(sealKey);
    if (device) {
      retire(device.seal_key, account, now);
      updateKey.run(key, sealKey.sequence, expiresAt, statement, device.id);
    } else insertDevice.run(account, toBlob(sealKey.deviceId), key, sealKey.sequence, expiresAt, statement);
  }

  /** Sessions of the wallet end as well, but for the caller's: a device that is dropped may hold one. */
  function dropDevices(publication: DevicesPublication, devices: DeviceRow[]): DroppedDevices {
    const { account, session: caller, now } = publication;
    const dropped: DroppedDevices = { queues: [], sessions: [] };
    if (devices.length === 0) return dropped;
    for (const session of deleteWalletSessions.all(account, caller)) dropped.sessions.push(session.public_id);
    for (const device of devices) {
      rows.emptyQueue(device.id);
      retire(device.seal_key, account, now);
      deleteDevice.run(device.id);
      dropped.queues.push(device.id);
      for (const session of deleteSessions.all(account, device.device_id)) {
        dropped.sessions.push(session.public_id);
      }
    }
    return dropped;
  }

  return {
    publishDevices(publication: DevicesPublication): PublishOutcome {
      const { account, deviceList, after, sealKeys, now } = publication;
      const current = readList.get(account);
      const list = JSON.stringify(deviceList);
      const isSame = current?.list === list;
      if (!isSame && (current?.sequence ?? 0) !== after) return { status: 'list_conflict' };

      const devices = new Map(readDevices.all(account).map((row) => [toText(row.device_id), row]));
      const brought = new Set(sealKeys.map((sealKey) => sealKey.deviceId));
      const listed = new Set(deviceList.devices.map((device) => device.deviceId));
      for (const deviceId of listed) {
        if (!devices.has(deviceId) && !brought.has(deviceId)) return { status: 'seal_key_missing' };
      }
      const changes = sealKeys.map((sealKey) => judgeSealKey(devices.get(sealKey.deviceId), sealKey));
      if (changes.includes('conflict')) return { status: 'seal_key_conflict' };

      if (!isSame) {
        insertList.run(account, deviceList.sequence, list, decodeTime(deviceList.issued), now);
      }
      const left = [...devices].filter(([deviceId]) => !listed.has(deviceId)).map(([, row]) => row);
      const dropped = dropDevices(publication, left);
      sealKeys.forEach((sealKey, index) => {
        if (changes[index] === 'next') saveSealKey(account, devices.get(sealKey.deviceId), sealKey, now);
      });
      if (!isSame) {
        const { sequence } = deviceList;
        const detail = { devices: listed.size, dropped: left.length };
        audit({ at: now, actor: account, action: 'devices.published', target: `list ${sequence}`, detail });
      }
      return { status: 'published', dropped };
    },

    publishSealKey(
      account: AccountKey,
      sealKey: SealKey,
      now: number,
    ): 'published' | 'unknown_device' | 'conflict' {
      const device = readDevices.all(account).find((row) => toText(row.device_id) === sealKey.deviceId);
      if (!device) return 'unknown_device';
      // Here the statement is all that is asked for: another one about the same key cannot be passed over.
      if (device.seal_statement === JSON.stringify(sealKey)) return 'published';
      if (judgeSealKey(device, sealKey) !== 'next') return 'conflict';
      saveSealKey(account, device, sealKey, now);
      return 'published';
    },
  };
}
