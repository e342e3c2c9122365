/**
 * Writes of device lists and seal keys. Their proofs were checked before. Checked here is everything that another
 * request may have changed since: the order of lists, the rise of sequences, the owner of each key. A listed device
 * has a row and a queue from its first seal key on.
 */

import { decodeTime } from '../../../../protocol/encoding.ts';
import { PREVIOUS_KEY_WINDOW } from '../../../../protocol/figures.ts';
import type { SealKey } from '../../../../protocol/seal-key.ts';
import type {
  AccountKey,
  DevicesPublication,
  DroppedDevices,
  PublishOutcome,
  SealKeyPublication,
} from '../../records.ts';
import { type Database, inserted } from '../database.ts';
import { queueKey } from '../queue-keys.ts';
import { toBlob, toText } from '../values.ts';
import type { Audit } from './audit.ts';
import { deliveryRows } from './delivery-rows.ts';
import { deviceRows } from './device-rows.ts';
import { listPace } from './list-pace.ts';
import { type ListedType, listedCredentials } from './listed-credentials.ts';
import { liveAccounts } from './live-accounts.ts';
import { devicesIn, publishedLists } from './published-list.ts';

interface DeviceRow {
  id: number;
  device_id: Buffer;
  seal_key: Buffer;
  seal_sequence: number;
  seal_statement: string;
  expires_at: number;
}

type SealKeyChange = 'same' | 'next' | 'conflict';

export function deviceWrites(database: Database, audit: Audit) {
  const rows = deviceRows(database);
  const queues = deliveryRows(database);
  const { requireLive } = liveAccounts(database);
  const lists = publishedLists(database);
  const pace = listPace(database);
  const listed = listedCredentials(database);
  const insertList = database.prepare(
    'INSERT INTO device_list (account_id, sequence, list, issued_at, published_at) VALUES (?, ?, ?, ?, ?)',
  );
  const readDevices = database.prepare<[number], DeviceRow>(
    'SELECT id, device_id, seal_key, seal_sequence, seal_statement, expires_at FROM device WHERE account_id = ? ORDER BY id',
  );
  const findByKey = database.prepare<[Buffer], { id: number }>('SELECT id FROM device WHERE seal_key = ?');
  const countQueue = database
    .prepare<[number], number>('UPDATE account SET queues = queues + 1 WHERE id = ? RETURNING queues')
    .pluck();
  const insertDevice = database.prepare(
    `INSERT INTO device (id, account_id, device_id, seal_key, seal_sequence, expires_at, seal_statement)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateKey = database.prepare(
    'UPDATE device SET seal_key = ?, seal_sequence = ?, expires_at = ?, seal_statement = ? WHERE id = ?',
  );
  const findRetired = database
    .prepare<[Buffer], number>('SELECT account_id FROM retired_key WHERE seal_key = ?')
    .pluck();
  const savePqKey = database.prepare(
    `INSERT INTO pq_key (device, digest, key) VALUES (?, ?, ?)
     ON CONFLICT (device) DO UPDATE SET digest = excluded.digest, key = excluded.key`,
  );
  const deletePqKey = database.prepare('DELETE FROM pq_key WHERE device = ?');
  const deleteSessions = database.prepare<[number, Buffer], { public_id: string }>(
    "DELETE FROM credential WHERE account_id = ? AND type = 'session' AND device_id = ? RETURNING public_id",
  );

  // The device's credentials end with it: a thief of the device may have copies.
  const revokeMade = database.prepare<[number, number, Buffer], { public_id: string; type: ListedType }>(
    `UPDATE credential SET revoked_at = ?
      WHERE account_id = ? AND device_id = ? AND type <> 'session' AND revoked_at IS NULL
     RETURNING public_id, type`,
  );
  const deleteWalletSessions = database.prepare<[number, string], { public_id: string }>(
    `DELETE FROM credential WHERE account_id = ? AND type = 'session' AND device_id IS NULL AND public_id <> ?
     RETURNING public_id`,
  );

  async function judgeSealKey(
    account: AccountKey,
    device: DeviceRow | undefined,
    sealKey: SealKey,
  ): Promise<SealKeyChange> {
    const key = toBlob(sealKey.key);
    if (device?.seal_key.equals(key) && device.seal_sequence === sealKey.sequence) return 'same';
    if (device && sealKey.sequence <= device.seal_sequence) return 'conflict';
    const holder = await findByKey.get(key);
    if (holder && holder.id !== device?.id) return 'conflict';
    // Copies for a retired key may still be accepted: it keeps its owner.
    return ((await findRetired.get(key)) ?? account) === account ? 'next' : 'conflict';
  }

  /**
   * The time in which copies for a replaced key are accepted: as long as its device surely keeps the private half,
   * but at most as long as the key was in force. The time counts from the creation of its direct successor. A
   * successor that a device sends again after a restored backup was created long ago, or skips others that the
   * relay has lost.
   */
  function acceptedUntil(device: DeviceRow, next: SealKey, now: number): number {
    if (next.sequence !== device.seal_sequence + 1) return 0;
    const madeAt = Math.min(now, decodeTime(next.notBefore));
    return Math.min(madeAt + PREVIOUS_KEY_WINDOW, device.expires_at);
  }

  async function saveSealKey(
    account: AccountKey,
    device: DeviceRow | undefined,
    { sealKey, pqKey }: SealKeyPublication,
    now: number,
  ): Promise<void> {
    const key = toBlob(sealKey.key);
    const expiresAt = decodeTime(sealKey.notAfter);
    const statement = JSON.stringify(sealKey);
    const id = device?.id ?? queueKey(account, await inserted(countQueue.get(account)));
    if (device) {
      await rows.retire(device, account, now, acceptedUntil(device, sealKey, now));
      await updateKey.run(key, sealKey.sequence, expiresAt, statement, id);
    } else {
      const deviceId = toBlob(sealKey.deviceId);
      await insertDevice.run(id, account, deviceId, key, sealKey.sequence, expiresAt, statement);
      await queues.createQueue(id);
    }
    if (sealKey.pq === null || pqKey === null) await deletePqKey.run(id);
    else await savePqKey.run(id, toBlob(sealKey.pq), toBlob(pqKey));
  }

  /**
   * Deletes the queues and sessions of unlisted devices, and the credentials made with those sessions. Sessions of
   * the wallet end as well, except the caller's: a removed device may have one.
   */
  async function dropDevices(
    publication: DevicesPublication,
    left: string[],
    devices: ReadonlyMap<string, DeviceRow>,
  ): Promise<DroppedDevices> {
    const { account, session: caller, now } = publication;
    const dropped: DroppedDevices = { queues: [], credentials: [] };
    if (left.length === 0) return dropped;
    for (const session of await deleteWalletSessions.all(account, caller)) {
      dropped.credentials.push(session.public_id);
    }
    for (const deviceId of left) {
      for (const session of await deleteSessions.all(account, toBlob(deviceId))) {
        dropped.credentials.push(session.public_id);
      }
      for (const made of await revokeMade.all(now, account, toBlob(deviceId))) {
        dropped.credentials.push(made.public_id);
        const action = `${made.type}.revoked` as const;
        await audit({
          at: now,
          actor: account,
          action,
          target: made.public_id,
          detail: { device: deviceId },
        });
      }
      const device = devices.get(deviceId);
      if (!device) continue;
      await rows.remove(device, account, now);
      dropped.queues.push(device.id);
    }
    for (const type of ['api_key', 'group_token'] as const) await listed.forgetEnded(account, type, now);
    return dropped;
  }

  return {
    async publishDevices(publication: DevicesPublication): Promise<PublishOutcome> {
      const { account, deviceList, after, sealKeys, now } = publication;
      await requireLive(account);
      const current = await lists.newest(account);
      const list = JSON.stringify(deviceList);
      const isSame = current?.list === list;
      if (!isSame && (current?.sequence ?? 0) !== after) return { status: 'list_conflict' };
      const issuedAt = decodeTime(deviceList.issued);
      const wait = isSame ? 0 : await pace.wait(account, issuedAt, now);
      if (wait > 0) return { status: 'too_many_lists', wait };

      const devices = new Map((await readDevices.all(account)).map((row) => [toText(row.device_id), row]));
      const changes: SealKeyChange[] = [];
      for (const { sealKey } of sealKeys) {
        changes.push(await judgeSealKey(account, devices.get(sealKey.deviceId), sealKey));
      }
      if (changes.includes('conflict')) return { status: 'seal_key_conflict' };

      const listed = new Set(deviceList.devices.map((device) => device.deviceId));
      const left = [...devicesIn(current?.list)].filter((deviceId) => !listed.has(deviceId));
      const dropped = await dropDevices(publication, left, devices);
      for (const [index, publication] of sealKeys.entries()) {
        const device = devices.get(publication.sealKey.deviceId);
        if (changes[index] === 'next') await saveSealKey(account, device, publication, now);
      }
      if (!isSame) {
        const { sequence } = deviceList;
        await insertList.run(account, sequence, list, issuedAt, now);
        const detail = { devices: listed.size, dropped: left.length };
        await audit({
          at: now,
          actor: account,
          action: 'devices.published',
          target: `list ${sequence}`,
          detail,
        });
      }
      const kept = [...devices].filter(([deviceId]) => listed.has(deviceId)).map(([, { id }]) => id);
      return { status: 'published', dropped, informed: isSame ? [] : kept };
    },

    async publishSealKey(
      account: AccountKey,
      publication: SealKeyPublication,
      now: number,
    ): Promise<'published' | 'unknown_device' | 'conflict'> {
      const { sealKey } = publication;
      await requireLive(account);
      const device = (await readDevices.all(account)).find(
        (row) => toText(row.device_id) === sealKey.deviceId,
      );
      if (!device && !(await lists.listedDevices(account)).has(sealKey.deviceId)) return 'unknown_device';
      // Here the statement is the whole request: another one about the same key must not be skipped.
      if (device?.seal_statement === JSON.stringify(sealKey)) return 'published';
      if ((await judgeSealKey(account, device, sealKey)) !== 'next') return 'conflict';
      await saveSealKey(account, device, publication, now);
      return 'published';
    },
  };
}
