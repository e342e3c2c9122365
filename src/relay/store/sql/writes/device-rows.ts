/** Replaced seal keys, and deleted devices. */
import type { AccountKey } from '../../records.ts';
import { ALL_ROWS, type Database } from '../database.ts';
import { deliveryRows } from './delivery-rows.ts';

/** The most remembered retired seal keys of one account: two months for sixteen devices that rotate each day. */
const MAX_RETIRED_KEYS = 1_000;

export interface KeyHolder {
  id: number;
  seal_key: Buffer;
}

export function deviceRows(database: Database) {
  const rows = deliveryRows(database);
  const insertRetired = database.prepare(
    `INSERT INTO retired_key (seal_key, account_id, retired_at, device, accepted_until)
     VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (seal_key) DO UPDATE SET account_id = excluded.account_id, retired_at = excluded.retired_at,
       device = excluded.device, accepted_until = excluded.accepted_until`,
  );
  const forgetRetired = database.prepare(
    `DELETE FROM retired_key WHERE seal_key IN
       (SELECT seal_key FROM retired_key WHERE account_id = ?
         ORDER BY retired_at DESC LIMIT ${ALL_ROWS} OFFSET ${MAX_RETIRED_KEYS})`,
  );
  const deletePqKey = database.prepare('DELETE FROM pq_key WHERE device = ?');
  const deleteDevice = database.prepare('DELETE FROM device WHERE id = ?');

  /** @param acceptedUntil end of the time in which the device's queue accepts copies for the key */
  async function retire(
    device: KeyHolder,
    account: AccountKey,
    now: number,
    acceptedUntil: number,
  ): Promise<void> {
    await insertRetired.run(device.seal_key, account, now, device.id, acceptedUntil);
    await forgetRetired.run(account);
  }

  return {
    retire,

    /** Deletes a device, with its queue and its keys. */
    async remove(device: KeyHolder, account: AccountKey, now: number): Promise<void> {
      await rows.deleteQueue(device.id);
      await retire(device, account, now, 0);
      await deletePqKey.run(device.id);
      await deleteDevice.run(device.id);
    },
  };
}
