/** The newest device list of an account, for writes: the listed devices. */
import type { DeviceList } from '../../../../protocol/device-list.ts';
import type { AccountKey } from '../../records.ts';
import type { Awaitable, Database } from '../database.ts';

export interface NewestList {
  sequence: number;
  /** JSON, as published. */
  list: string;
}

export function publishedLists(database: Database) {
  const newest = database.prepare<[number], NewestList>(
    'SELECT sequence, list FROM device_list WHERE account_id = ? ORDER BY sequence DESC LIMIT 1',
  );

  return {
    newest: (account: AccountKey): Awaitable<NewestList | undefined> => newest.get(account),

    /** Ids of the devices in the newest list. */
    async listedDevices(account: AccountKey): Promise<Set<string>> {
      return devicesIn((await newest.get(account))?.list);
    },
  };
}

/** Ids of the devices in a stored list. */
export function devicesIn(list: string | undefined): Set<string> {
  const { devices } = list === undefined ? { devices: [] } : (JSON.parse(list) as DeviceList);
  return new Set(devices.map(({ deviceId }) => deviceId));
}
